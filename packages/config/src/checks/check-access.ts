import type { JsonObject } from '@junctor/jsonrpc'
import { describeName } from '../findings/describe-value.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'
import { isLoopback } from './is-loopback.ts'
import { unknownReference } from './unknown-reference.ts'

/** Checks that keys open tenants that exist, and that nothing is opened to a network by accident. */
export function checkAccess(
  { auth, listen }: Partial<Sections>,
  written: JsonObject,
  tenants: readonly string[],
): readonly Finding[] {
  if (auth === undefined) return []
  const keys = auth.apiKeys.flatMap(({ name, tenants: opened }) =>
    opened
      .map((tenant, index) => ({ name: tenant, path: ['auth', 'apiKeys', name, 'tenants', index] }))
      .filter((entry) => !tenants.includes(entry.name))
      .map((entry) =>
        unknownReference({ ...entry, written: memberAt(written, entry.path), what: 'tenant', known: tenants }),
      ),
  )
  const host = listen?.http.host
  if (host === undefined || !isOpenToAll({ host, apiKeys: auth.apiKeys.length, anonymous: auth.anonymous })) return keys
  const path = ['listen', 'http', 'host']
  const exposed: Finding = {
    path,
    at: 'value',
    got: describeName(memberAt(written, path)),
    expected: 'an address of this machine only, such as 127.0.0.1, as long as nobody has to prove who they are',
    next: 'Add auth.apiKeys (`junctor hash-key` makes their hashes), or say auth: { anonymous: true }.',
  }
  return [...keys, exposed]
}

/** Whether whoever reaches the address could do everything: the one thing that has to be said out loud. */
export function isOpenToAll(access: {
  readonly host: string
  /** How many there are. */
  readonly apiKeys: number
  readonly anonymous: boolean
}): boolean {
  return !isLoopback(access.host) && access.apiKeys === 0 && !access.anonymous
}
