import type { Log } from '@junctor/contracts'
import type { Principal } from '@junctor/exchange'
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { type CallerIdentities, identitiesAt } from './caller-identities.ts'
import { hasScopes } from './token-scopes.ts'
import type { IssuerOptions } from './issuer-options.ts'
import { KeysMissing } from './issuer-keys.ts'
import type { Membership } from './membership.ts'
import { clientPrincipalOf, principalOf } from './principal.ts'
import { type TokenFault, tokenFaultOf } from './token-fault.ts'

/** The result of checking a token. */
export type TokenVerdict =
  | {
      readonly kind: 'caller'
      readonly caller: CallerIdentities
      /** When the token expires, epoch milliseconds. */
      readonly expires: number
    }
  | { readonly kind: 'refused'; readonly fault: TokenFault }
  /** The token could not be judged. */
  | { readonly kind: 'no_keys'; readonly retryAfterMs: number }

/** Checks a token. Never rejects: everything that is not understood is refused. */
export type VerifyToken = (token: string) => Promise<TokenVerdict>

export interface VerifierOptions {
  readonly issuer: IssuerOptions
  readonly findKey: JWTVerifyGetKey
  readonly membership: Membership
  readonly now: () => number
  readonly log: Log
}

/** How far the clock of the issuer may differ from the local clock, in seconds. */
const TOLERANCE_SECONDS = 30

/**
 * Creates the check of signed tokens (RFC 7519, RFC 9068 section 4, RFC 8725). The signature is checked first, with a
 * key that the issuer publishes; key information in the header (`jku`, `x5u`, `jwk`, `x5c`) is not read.
 */
export function createVerifier({ issuer, findKey, membership, now, log }: VerifierOptions): VerifyToken {
  const algorithms = [...issuer.algorithms]
  const expected = {
    issuer: issuer.issuer,
    algorithms,
    requiredClaims: ['exp'],
    clockTolerance: TOLERANCE_SECONDS,
    ...(issuer.type !== undefined && { typ: issuer.type }),
  }

  const keyFor: JWTVerifyGetKey = (header, token) => {
    // No extension is supported, and a critical extension must not be ignored (RFC 7515 section 4.1.11).
    if (header.crit !== undefined) throw new errors.JWSInvalid('"crit" is not supported')
    return findKey(header, token)
  }

  const judge = (claims: JWTPayload): TokenVerdict => {
    const tenants = membership(claims)
    if (tenants === undefined) return { kind: 'refused', fault: 'audience' }
    if (!hasScopes(claims, issuer.scopes ?? [])) return { kind: 'refused', fault: 'scope' }
    const principal = bearerOf(issuer.issuer, claims)
    if (principal === undefined) return { kind: 'refused', fault: 'subject' }
    const expires = Number(claims.exp) * 1000
    return { kind: 'caller', caller: identitiesAt(principal, tenants, expires + TOLERANCE_SECONDS * 1000), expires }
  }

  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keyFor, { ...expected, currentDate: new Date(now()) })
      return judge(payload)
    } catch (error) {
      if (error instanceof KeysMissing) return { kind: 'no_keys', retryAfterMs: error.retryAfterMs }
      const fault = tokenFaultOf(error)
      // Either a key is unusable, or this program has a fault. Only the message is logged, because a cause may quote
      // the token.
      if (fault === undefined) log.debug('A token could not be verified', { reason: String(error) })
      return { kind: 'refused', fault: fault ?? 'signature' }
    }
  }
}

/** Returns the principal of a token: its subject, or without a subject the program that it was issued to. */
function bearerOf(issuer: string, claims: JWTPayload): Principal | undefined {
  const { sub } = claims
  if (sub !== undefined) return isName(sub) ? principalOf(issuer, sub) : undefined
  const client = claims['client_id'] ?? claims['azp']
  return isName(client) ? clientPrincipalOf(issuer, client) : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
