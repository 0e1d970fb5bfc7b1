import { isLoopbackAddress, isLoopbackHost } from '@junctor/connection'
import type { JsonObject } from '@junctor/jsonrpc'
import type { AuthConfig, FabricConfig, ListenConfig, TenantConfig } from '../config.ts'
import { describeName } from '../findings/describe-value.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'
import { unknownReference } from './unknown-reference.ts'

/** Checks that keys and tokens open only existing tenants, and that nothing is opened to a network by accident. */
export function checkAccess(
  { auth, fabric, listen }: Partial<Sections>,
  written: JsonObject,
  { names, tenants }: { readonly names: readonly string[]; readonly tenants: readonly TenantConfig[] },
  backends: readonly string[],
): readonly Finding[] {
  const ofListeners = listen === undefined ? [] : [...sharedPort(listen, written), ...missingNats(listen, fabric)]
  if (auth === undefined) return ofListeners
  const host = listen?.http.host
  return [
    ...ofListeners,
    ...unknownTenants(auth, written, names),
    ...strandedMembers(auth, tenants),
    ...tokenServer(auth, written, backends),
    ...repeatedKeys(auth),
    ...(host !== undefined && !isLocal(host) && isOpen(auth) ? [openToAll(written)] : []),
    ...(listen?.nats === true && isOpen(auth) ? [openToBus] : []),
  ]
}

function unknownTenants({ apiKeys }: AuthConfig, written: JsonObject, known: readonly string[]): readonly Finding[] {
  return apiKeys.flatMap((key) => {
    const path = [...keyPath(key.name), 'tenants']
    const unknown = key.tenants.map((name, index) => ({ name, path: [...path, index] }))
    const findings = unknown
      .filter(({ name }) => !known.includes(name))
      .map((entry) => unknownReference({ ...entry, written: memberAt(written, entry.path), what: 'tenant', known }))
    return memberAt(written, path) === undefined ? findings.map(() => noTenants(path, known)) : findings
  })
}

/** A key that names no tenants opens `default`, which does not exist where the file has other tenants. */
function noTenants(path: readonly (string | number)[], known: readonly string[]): Finding {
  const expected = `the tenants that the key opens: ${known.join(', ')}`
  const next = `Add them, for example: tenants: [${known[0] ?? ''}]`
  return { kind: 'unknown_tenant', path, at: 'value', got: 'nothing, which is the tenant default', expected, next }
}

/** Reports tenants with members when there is no issuer: membership depends on the claims of the issuer's tokens. */
function strandedMembers({ issuer, server }: AuthConfig, tenants: readonly TenantConfig[]): readonly Finding[] {
  if (issuer !== undefined || server !== undefined) return []
  const stranded = tenants.filter(({ members }) => members !== undefined)
  return stranded.map(({ name }) => ({
    kind: 'issuer_missing',
    path: ['tenants', name, 'members'],
    at: 'key',
    got: 'members without auth.issuer',
    expected: 'an issuer whose tokens hold the claim',
    next: 'Add auth: { issuer, audience }, or remove the members.',
  }))
}

/** Reports a token server that is no backend, or one without a URL: its tokens are for URLs of this gateway. */
function tokenServer({ server }: AuthConfig, written: JsonObject, known: readonly string[]): readonly Finding[] {
  if (server === undefined) return []
  const path = ['auth', 'server']
  const { backend: name } = server
  if (!known.includes(name)) return [unknownReference({ path, written: name, name, what: 'backend', known })]
  if (written['publicUrl'] !== undefined) return []
  const next = 'Add publicUrl: the URL under which clients reach the gateway.'
  return [
    { kind: 'issuer_missing', path, at: 'key', got: 'no publicUrl', expected: 'the URL that tokens are for', next },
  ]
}

function sharedPort({ http, admin }: ListenConfig, written: JsonObject): readonly Finding[] {
  if (admin === undefined || admin.port === 0 || admin.port !== http.port) return []
  const path = ['listen', 'admin', 'port']
  const got = `${describeName(memberAt(written, path) ?? admin.port)}, which is listen.http.port`
  const next = 'Choose another port, so that clients cannot reach the admin endpoints.'
  return [{ kind: 'port_taken', path, at: 'value', got, expected: 'a port of its own', next }]
}

/** Reports a key with two names: it would be two callers. */
function repeatedKeys({ apiKeys }: AuthConfig): readonly Finding[] {
  const names = new Map<string, string>()
  return apiKeys.flatMap(({ name, hash }): Finding[] => {
    const first = names.get(hash)
    if (first === undefined) names.set(hash, name)
    if (first === undefined) return []
    const got = `the hash of "${first}"`
    const next = 'Make another key, or remove one of the two.'
    return [
      {
        kind: 'repeated_key',
        path: [...keyPath(name), 'hash'],
        at: 'value',
        got,
        expected: 'a different key for each name',
        next,
      },
    ]
  })
}

function keyPath(name: string): readonly string[] {
  return ['auth', 'apiKeys', name]
}

/** Whether any caller that reaches the gateway could use everything. The configuration must allow this explicitly. */
function isOpen({ apiKeys, issuer, server, anonymous }: AuthConfig): boolean {
  return apiKeys.length === 0 && issuer === undefined && server === undefined && !anonymous
}

function isLocal(host: string): boolean {
  return isLoopbackAddress(host) || isLoopbackHost(host.toLowerCase())
}

function openToAll(written: JsonObject): Finding {
  const path = ['listen', 'http', 'host']
  return {
    kind: 'open_to_all',
    path,
    at: 'value',
    got: describeName(memberAt(written, path)),
    expected: 'an address of this machine only, such as 127.0.0.1, because callers do not authenticate',
    next: howToClose,
  }
}

const howToClose =
  'Add auth.apiKeys (`junctor hash-key` prints their hashes) or auth.issuer, or set auth: { anonymous: true }.'

const openToBus: Finding = {
  kind: 'open_to_all',
  path: ['listen', 'nats'],
  at: 'value',
  got: 'true',
  expected: 'false, because clients on the bus do not authenticate',
  next: howToClose,
}

function missingNats({ nats }: ListenConfig, fabric: FabricConfig | undefined): readonly Finding[] {
  if (!nats || fabric !== 'memory') return []
  return [
    {
      kind: 'nats_missing',
      path: ['listen', 'nats'],
      at: 'value',
      got: 'true, and a fabric in memory',
      expected: 'a fabric on NATS, where the clients are',
      next: 'Add fabric: { nats: { servers, key } }, or remove listen.nats.',
    },
  ]
}
