import type { Challenge, Head, Identity, Principal, Tenant } from '@junctor/exchange'
import { headers, JunctorError, mcpProfile, type Profile } from '@junctor/protocol'
import { type ApiKey, hashApiKey, isApiKeyHash } from './api-key.ts'
import { bearerToken } from './bearer-token.ts'
import { unauthenticated, unknownTenant } from './challenges.ts'
import { principalOf } from './principal.ts'

export interface AuthenticatorOptions {
  /** Every tenant by its name. The plain path is the tenant `default`, if there is one. */
  readonly tenants: ReadonlyMap<string, Tenant>
  /** Keys that callers may present. With any, every caller but one on stdio has to present one. */
  readonly apiKeys?: readonly ApiKey[]
  /** Without keys: lets in callers from other machines too, at every tenant. Default: false. */
  readonly anonymous?: boolean
}

/**
 * Tells who calls and where, from what is known before a body is read. The only place where principals are made: no
 * identity leaves here that was not vouched for, and whatever is not understood is a challenge.
 */
export interface Authenticator {
  /** Synchronous, so that a call costs no turn of the event loop. */
  authenticate(head: Head): Identity | Challenge
}

/** A caller, with its identity at every tenant that it may use. Made once, so that a request only looks up. */
type Caller = ReadonlyMap<string, Identity>

const DEFAULT_TENANT = 'default'

/**
 * Makes the authenticator for static API keys, or for none. A peer on stdio is whoever started the gateway, and is let
 * in without a key; so is, when there are no keys, a peer on this machine. Throws `CONFIG_INVALID` for a key that
 * could never be used.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { tenants, apiKeys = [], anonymous = false } = options
  const everywhere = [...tenants.keys()]
  const local = callerAt(principalOf('local', 'local'), everywhere, tenants)
  const stranger = callerAt(principalOf('anonymous', 'anonymous'), everywhere, tenants)
  assertDistinct(apiKeys)
  // Looked up by hash: how long that takes tells nothing about a key, since nobody can choose what it hashes to.
  const callers = new Map(apiKeys.map((key) => [key.hash, callerOf(key, tenants)]))

  return {
    authenticate(head) {
      const name = head.tenant ?? DEFAULT_TENANT
      if (head.transport === 'stdio') return identityAt(local, name, head)
      if (callers.size > 0) return byKey(head, name)
      if (head.loopback) return identityAt(local, name, head)
      return anonymous ? identityAt(stranger, name, head) : unauthenticated(head, profileAt(name))
    },
  }

  function byKey(head: Head, name: string): Identity | Challenge {
    const authorization = head.header(headers.authorization)
    if (authorization === undefined) return unauthenticated(head, profileAt(name))
    const token = bearerToken(authorization)
    if (token === undefined) return unauthenticated(head, profileAt(name), 'invalid_request')
    const caller = callers.get(hashApiKey(token))
    return caller === undefined
      ? unauthenticated(head, profileAt(name), 'invalid_token')
      : identityAt(caller, name, head)
  }

  function profileAt(name: string): Profile {
    return tenants.get(name)?.profile ?? mcpProfile
  }
}

/** A foreign tenant looks like one that does not exist: nothing of it, not even its profile, shows in the answer. */
function identityAt(caller: Caller, name: string, head: Head): Identity | Challenge {
  return caller.get(name) ?? unknownTenant(head, mcpProfile)
}

function callerOf(
  { name, hash, tenants: names = [DEFAULT_TENANT] }: ApiKey,
  tenants: AuthenticatorOptions['tenants'],
): Caller {
  if (!isApiKeyHash(hash)) {
    throw new JunctorError(
      'CONFIG_INVALID',
      `API key "${name}": hash must be "sha256:" and 64 hex digits in lower case`,
    )
  }
  const unknown = names.find((tenant) => !tenants.has(tenant))
  if (unknown !== undefined)
    throw new JunctorError('CONFIG_INVALID', `API key "${name}": there is no tenant "${unknown}"`)
  return callerAt(principalOf('api-key', name), names, tenants)
}

function callerAt(principal: Principal, names: readonly string[], tenants: AuthenticatorOptions['tenants']): Caller {
  return new Map(
    names.flatMap((name): [string, Identity][] => {
      const tenant = tenants.get(name)
      return tenant === undefined ? [] : [[name, { kind: 'identity', principal, tenant }]]
    }),
  )
}

/** One key for two names would be two callers at once. */
function assertDistinct(apiKeys: readonly ApiKey[]): void {
  const names = new Map<string, string>()
  for (const { name, hash } of apiKeys) {
    const other = names.get(hash)
    if (other !== undefined) {
      throw new JunctorError('CONFIG_INVALID', `API keys "${other}" and "${name}" are the same key`)
    }
    names.set(hash, name)
  }
}
