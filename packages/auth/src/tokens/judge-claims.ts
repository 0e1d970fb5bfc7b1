import type { Principal } from '@junctor/exchange'
import { identitiesAt } from '../caller-identities.ts'
import type { Claims } from '@junctor/primitives'
import { confirmationOf } from './confirmation.ts'
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
