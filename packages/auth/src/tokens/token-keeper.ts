import { type Identity, type Seal, sealCallerToken, tokenOwner } from '@junctor/contracts'
import { tenantOfName } from '@junctor/protocol'
import type { TenantAccess } from '../membership.ts'
import { toleranceSeconds } from './tolerance.ts'
import type { HashedToken } from './token-hashes.ts'

/** Adds the caller's token to an identity, if a backend of its tenant takes it. */
export type KeepToken = (identity: Identity, shown: HashedToken) => Identity

/** An identity with its token, and the hash of that token. */
interface Kept {
  readonly hash: string
  readonly identity: Identity
}

/**
 * Creates the step that keeps the tokens of callers, sealed. A token is sealed once for each identity, which is made once for
 * each token.
 *
 * @param seal undefined: no token is kept
 */
export function createTokenKeeper(access: readonly TenantAccess[], seal: Seal | undefined): KeepToken {
  const taking = new Set(access.filter((one) => one.takesCallerTokens === true).map(({ tenant }) => tenant.name))
  const known = new WeakMap<Identity, Kept>()
  return (identity, { token, hash }) => {
    const { tenant, expires } = identity
    if (seal === undefined || !(taking.has(tenant.name) || taking.has(tenantOfName(tenant.name)))) return identity
    const kept = known.get(identity)
    if (kept !== undefined && kept.hash === hash) return kept.identity
    const owner = tokenOwner({ tenant: tenant.name, principal: identity.principal })
    const until = expires === undefined ? null : expires - toleranceSeconds * 1000
    const withToken = { ...identity, callerToken: sealCallerToken(seal, owner, { token, expires: until }) }
    known.set(identity, { hash, identity: withToken })
    return withToken
  }
}
