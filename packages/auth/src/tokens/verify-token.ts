import type { Log } from '@junctor/contracts'
import { withoutNulls } from '@junctor/jsonrpc'
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { IssuerOptions } from './issuer-options.ts'
import { KeysMissing } from './issuer-keys.ts'
import type { Claims } from '@junctor/primitives'
import { toleranceSeconds } from './tolerance.ts'
import { tokenFaultOf } from './token-fault.ts'
import type { TokenVerdict } from './token-verdict.ts'

/**
 * Checks a token. Never rejects: everything that is not understood is refused.
 *
 * @param wasAccepted whether it was accepted when it was checked before
 */
export type VerifyToken = (token: string, wasAccepted: boolean) => Promise<TokenVerdict>

/** How the signature of a token is checked, and who judges its claims. `now` returns epoch milliseconds. */
export interface VerifierOptions {
  readonly issuer: IssuerOptions
  readonly findKey: JWTVerifyGetKey
  /** Returns what a token opens when its signature, issuer and time are good. */
  readonly judge: (claims: Claims, token: string, wasAccepted: boolean) => TokenVerdict | Promise<TokenVerdict>
  readonly now: () => number
  readonly log: Log
}

/**
 * Creates the check of signed tokens (RFC 7519, RFC 9068 section 4, RFC 8725). The signature is checked first, with a
 * key that the issuer publishes; key information in the header (`jku`, `x5u`, `jwk`, `x5c`) is not read.
 */
export function createVerifier({ issuer, findKey, judge, now, log }: VerifierOptions): VerifyToken {
  const algorithms = [...issuer.algorithms]
  const expected = {
    issuer: issuer.issuer,
    algorithms,
    requiredClaims: ['exp'],
    clockTolerance: toleranceSeconds,
    ...(issuer.type !== undefined && { typ: issuer.type }),
  }

  const keyFor: JWTVerifyGetKey = (header, token) => {
    // No extension is supported, and a critical extension must not be ignored (RFC 7515 section 4.1.11).
    if (header.crit !== undefined) throw new errors.JWSInvalid('"crit" is not supported')
    return findKey(header, token)
  }

  return async (token, wasAccepted) => {
    try {
      const { payload } = await jwtVerify(token, keyFor, { ...expected, currentDate: new Date(now()) })
      return await judge(withoutNulls(payload) as Claims, token, wasAccepted)
    } catch (error) {
      if (error instanceof KeysMissing) return { kind: 'no_keys', retryAfterMs: error.retryAfterMs }
      const fault = tokenFaultOf(error)
      // Either a key is unusable, or this program has a fault. Only the message is logged, because a cause may quote
      // the token.
      if (fault === undefined) log.debug('a token could not be verified', { reason: String(error) })
      return { kind: 'refused', fault: fault ?? 'signature' }
    }
  }
}
