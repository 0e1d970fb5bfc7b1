import type { Head, Identity, Tenant } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { defaultTenant, headers, mountName, tenantOfName } from '@junctor/protocol'
import type { ApiKey } from './api-keys/api-key.ts'
import { type CallerIdentities, identitiesAt } from './caller-identities.ts'
import { createKeyCallers } from './api-keys/key-callers.ts'
import type { TenantAccess } from './membership.ts'
import { principalOf } from './principal.ts'
import type { BoundToken } from './proof-of-possession.ts'
import type { Unproven } from './reported-refusals.ts'
import type { JudgeToken } from './tokens/token-cache.ts'
import { createTokenHashes, type HashedToken } from './tokens/token-hashes.ts'
import type { KeepToken } from './tokens/token-keeper.ts'
import type { TokenVerdict } from './tokens/token-verdict.ts'

/** A caller with a token that needs a proof, and what it gets with one. */
export interface BoundCaller {
  readonly kind: 'bound'
  readonly bound: BoundToken
  readonly judged: Identity | Unproven
}

/** The caller of a request, as far as its head shows. */
export type JudgedCaller = Identity | Unproven | BoundCaller

/** The configured ways to authenticate: keys, tokens, or neither. */
export interface CallerJudgeParts {
  readonly access: readonly TenantAccess[]
  readonly apiKeys: readonly ApiKey[]
  /** Without keys and tokens: admits callers from other machines too. */
  readonly anonymous: boolean
  /** Undefined: tokens are not accepted. */
  readonly judgeToken: JudgeToken | undefined
  readonly withToken: KeepToken
}

const missing: Unproven = { kind: 'missing' }
const unknownKey: Unproven = { kind: 'unknown_key' }
const notAMember: Unproven = { kind: 'not_a_member' }

/** Creates the step from a head to its caller. It is synchronous unless a token must be checked. */
export function createCallerJudge({
  access,
  apiKeys,
  anonymous,
  judgeToken,
  withToken,
}: CallerJudgeParts): (head: Head) => JudgedCaller | Promise<JudgedCaller> {
  const tenants = new Map(access.map(({ tenant }): [string, Tenant] => [tenant.name, tenant]))
  const mounts = mountsOf(access)
  const local = identitiesAt(principalOf('local', 'local'), tenants.values())
  const stranger = identitiesAt(principalOf('anonymous', 'anonymous'), tenants.values())
  const keyCallers = createKeyCallers(apiKeys, tenants)
  const hashOf = createTokenHashes()
  const wantsCredentials = keyCallers.size > 0 || judgeToken !== undefined

  function byCredentials(head: Head): JudgedCaller | Promise<JudgedCaller> {
    const authorization = head.header(headers.authorization)
    if (authorization === undefined) return missing
    const hashed = hashOf(authorization)
    if (hashed === undefined) return { kind: 'not_bearer' }
    const { token, hash, isProven } = hashed
    const caller = isProven ? undefined : keyCallers.get(hash)
    if (caller !== undefined) return identityAt(caller, head)
    if (judgeToken === undefined) return unknownKey
    return andThen(judgeToken(token, hash), (verdict) => byVerdict(verdict, head, hashed))
  }

  function byVerdict(verdict: TokenVerdict, head: Head, shown: HashedToken): JudgedCaller {
    const { token, isProven } = shown
    if (verdict.kind === 'caller') {
      const { boundTo: thumbprint, caller } = verdict
      if (thumbprint === undefined && isProven) return { kind: 'refused', fault: 'unbound' }
      if (thumbprint !== undefined && !isProven) return { kind: 'refused', fault: 'proof' }
      const found = identityAt(caller, head)
      const judged = found.kind === 'identity' ? withToken(found, shown) : found
      return thumbprint === undefined ? judged : { kind: 'bound', bound: { token, thumbprint }, judged }
    }
    if (verdict.kind === 'no_keys') return verdict
    // A text that is not a token was intended as a key, if keys are configured.
    return verdict.fault === 'malformed' && keyCallers.size > 0 ? unknownKey : verdict
  }

  function identityAt(caller: CallerIdentities, head: Head): Identity | Unproven {
    const name = head.tenant ?? defaultTenant
    const identity = caller.get(name)
    if (identity !== undefined) return identity
    const tenant = mounts.get(name)
    const base = tenant && (caller.get(tenant.name) ?? caller.get(tenantOfName(tenant.name)))
    return tenant === undefined || base === undefined ? notAMember : { ...base, tenant }
  }

  return (head) => {
    if (head.transport === 'stdio') return identityAt(local, head)
    if (wantsCredentials) return byCredentials(head)
    if (head.loopback) return identityAt(local, head)
    return anonymous ? identityAt(stranger, head) : missing
  }
}

/** The endpoints of single backends, by name. Those of the default tenant have two, as the tenant itself. */
function mountsOf(tenants: readonly TenantAccess[]): ReadonlyMap<string, Tenant> {
  const mounts = new Map<string, Tenant>()
  for (const { tenant, backends = [] } of tenants) {
    for (const backend of backends) {
      const mount: Tenant = { name: mountName(tenant.name, backend), profile: tenant.profile }
      mounts.set(mount.name, mount)
      if (tenant.name === defaultTenant) mounts.set(mountName('', backend), mount)
    }
  }
  return mounts
}
