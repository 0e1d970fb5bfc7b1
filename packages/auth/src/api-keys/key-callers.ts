import type { Tenant } from '@junctor/contracts'
import { defaultTenant, JunctorError } from '@junctor/protocol'
import { type ApiKey, isApiKeyHash } from './api-key.ts'
import { type CallerIdentities, identitiesAt } from '../caller-identities.ts'
import { principalOf } from '../principal.ts'

/**
 * Returns the callers by the hash of their key. The time of a lookup by hash reveals nothing about a key, because an
 * attacker cannot choose the hash of a text. Throws `CONFIG_INVALID` for a key that can never be used.
 */
export function createKeyCallers(
  apiKeys: readonly ApiKey[],
  tenants: ReadonlyMap<string, Tenant>,
): ReadonlyMap<string, CallerIdentities> {
  assertDistinct(apiKeys)
  return new Map(apiKeys.map((key) => [key.hash, callerOf(key, tenants)]))
}

function callerOf(
  { name, hash, tenants: names = [defaultTenant] }: ApiKey,
  tenants: ReadonlyMap<string, Tenant>,
): CallerIdentities {
  if (!isApiKeyHash(hash)) {
    throw new JunctorError(
      'CONFIG_INVALID',
      `API key "${name}": hash must be "sha256:" and 64 hex digits in lower case`,
    )
  }
  const opened = names.map((tenant) => {
    const found = tenants.get(tenant)
    if (found === undefined)
      throw new JunctorError('CONFIG_INVALID', `API key "${name}": there is no tenant "${tenant}"`)
    return found
  })
  return identitiesAt(principalOf('api-key', name), opened)
}

/** Throws when one key has two names: it would be two callers. */
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
