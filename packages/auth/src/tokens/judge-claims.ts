import type { Principal } from '@junctor/exchange'
import type { Claims } from '@junctor/primitives'
import { identitiesAt } from '../caller-identities.ts'
import type { IssuerOptions } from './issuer-options.ts'
import type { Membership } from '../membership.ts'
import { clientPrincipalOf, principalOf } from '../principal.ts'
import { toleranceSeconds } from './tolerance.ts'
import { hasScopes, scopesAmong } from './token-scopes.ts'
import type { TokenVerdict } from './token-verdict.ts'

/** Returns what a token opens, from its claims. Its issuer and its time are checked. */
export type JudgeClaims = (claims: Claims) => TokenVerdict

/** Creates the step from the claims of a genuine token to its caller. */
export function createClaimsJudge(issuer: IssuerOptions, membership: Membership): JudgeClaims {
  const { toolScopes = [] } = issuer
  return (claims) => {
    const tenants = membership(claims)
    if (tenants === undefined) return { kind: 'refused', fault: 'audience' }
    if (!hasScopes(claims, issuer.scopes ?? [])) return { kind: 'refused', fault: 'scope' }
    const principal = bearerOf(issuer.issuer, claims)
    if (principal === undefined) return { kind: 'refused', fault: 'subject' }
    const confirmation = confirmationOf(claims)
    if (confirmation.kind === 'unknown') return { kind: 'refused', fault: 'confirmation' }
    const bound = confirmation.kind === 'key' && { boundTo: confirmation.thumbprint }
    const { exp } = claims
    const limits = toolScopes.length > 0 && { scopes: scopesAmong(claims, toolScopes) }
    if (typeof exp !== 'number') {
      return { kind: 'caller', caller: identitiesAt(principal, tenants, { ...limits }), expires: Infinity, ...bound }
    }
    const caller = identitiesAt(principal, tenants, { expires: (exp + toleranceSeconds) * 1000, ...limits })
    return { kind: 'caller', caller, expires: exp * 1000, ...bound }
  }
}

/** Returns the principal of a token: its subject, or without a subject the program that it was issued to. */
function bearerOf(issuer: string, claims: Claims): Principal | undefined {
  const { sub } = claims
  if (sub !== undefined) return isName(sub) ? principalOf(issuer, sub) : undefined
  const client = claims['client_id'] ?? claims['azp']
  return isName(client) ? clientPrincipalOf(issuer, client) : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** How a token is bound to its bearer (RFC 7800). */
type Confirmation =
  /** Every party that has the token may use it. */
  | { readonly kind: 'none' }
  /** Only the holder of the key with this thumbprint (RFC 9449 section 6.1). */
  | { readonly kind: 'key'; readonly thumbprint: string }
  /** In a way that cannot be checked here, such as by a certificate. */
  | { readonly kind: 'unknown' }

/** Reads the claim `cnf`. */
function confirmationOf({ cnf }: Claims): Confirmation {
  if (cnf === undefined) return { kind: 'none' }
  if (typeof cnf !== 'object' || cnf === null || Object.keys(cnf).length !== 1) return { kind: 'unknown' }
  const { jkt } = cnf as Claims
  return typeof jkt === 'string' && jkt !== '' ? { kind: 'key', thumbprint: jkt } : { kind: 'unknown' }
}
