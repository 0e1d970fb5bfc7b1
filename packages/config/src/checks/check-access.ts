import { isLoopbackAddress, isLoopbackHost } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import type { AuthConfig } from '../config.ts'
import { describeName } from '../findings/describe-value.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'
import { unknownReference } from './unknown-reference.ts'

/** Checks that keys open tenants that exist, and that nothing is opened to a network by accident. */
export function checkAccess(
  { auth, listen }: Partial<Sections>,
  written: JsonObject,
  tenants: readonly string[],
): readonly Finding[] {
  if (auth === undefined) return []
  const host = listen?.http.host
  return [
    ...unknownTenants(auth, written, tenants),
    ...repeatedKeys(auth),
    ...(host !== undefined && isOpenToAll(host, auth) ? [openToAll(written)] : []),
  ]
}

function unknownTenants({ apiKeys }: AuthConfig, written: JsonObject, known: readonly string[]): readonly Finding[] {
  return apiKeys
    .flatMap((key) => key.tenants.map((name, index) => ({ name, path: [...keyPath(key.name), 'tenants', index] })))
    .filter(({ name }) => !known.includes(name))
    .map((entry) => unknownReference({ ...entry, written: memberAt(written, entry.path), what: 'tenant', known }))
}

/** One key under two names would be two callers at once. */
function repeatedKeys({ apiKeys }: AuthConfig): readonly Finding[] {
  const names = new Map<string, string>()
  return apiKeys.flatMap(({ name, hash }): Finding[] => {
    const first = names.get(hash)
    if (first === undefined) names.set(hash, name)
    if (first === undefined) return []
    const got = `the hash of "${first}"`
    const next = 'Make another key, or remove one of the two.'
    return [{ path: [...keyPath(name), 'hash'], at: 'value', got, expected: 'a key of its own for each name', next }]
  })
}

function keyPath(name: string): readonly string[] {
  return ['auth', 'apiKeys', name]
}

/** Whether whoever reaches the address could do everything: the one thing that has to be said out loud. */
function isOpenToAll(host: string, { apiKeys, issuer, anonymous }: AuthConfig): boolean {
  return (
    apiKeys.length === 0 &&
    issuer === undefined &&
    !anonymous &&
    !isLoopbackAddress(host) &&
    !isLoopbackHost(host.toLowerCase())
  )
}

function openToAll(written: JsonObject): Finding {
  const path = ['listen', 'http', 'host']
  return {
    path,
    at: 'value',
    got: describeName(memberAt(written, path)),
    expected: 'an address of this machine only, such as 127.0.0.1, as long as nobody has to prove who they are',
    next: 'Add auth.apiKeys (`junctor hash-key` makes their hashes), or say auth: { anonymous: true }.',
  }
}
