import type { Challenge, TelemetryEvent, Head, Identity } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import { describe, expect, test } from 'vitest'
import { type ApiKey, hashApiKey } from './api-keys/api-key.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import type { TenantAccess } from './membership.ts'

interface HeadOptions {
  readonly transport?: Head['transport']
  readonly tenant?: string
  readonly loopback?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

function headOf({ transport = 'http', tenant, loopback = false, headers = {} }: HeadOptions = {}): Head {
  return { transport, tenant, loopback, header: (name) => headers[name] }
}

const bearing = (key: string, more: HeadOptions = {}): Head =>
  headOf({ ...more, headers: { authorization: `Bearer ${key}` } })

const tenantNamed = (name: string, profile = mcpProfile): TenantAccess => ({ tenant: { name, profile } })
const tenants = [tenantNamed('default'), tenantNamed('acme'), tenantNamed('globex', { ...mcpProfile, errors: 'saas' })]

const apiKeys: readonly ApiKey[] = [
  { name: 'alice', hash: hashApiKey('alice-key') },
  { name: 'alice', hash: hashApiKey('alice-new-key'), tenants: ['default', 'acme'] },
  { name: 'bob', hash: hashApiKey('bob-key'), tenants: ['acme'] },
]

/** The synchronous answer: no signature must be checked here. */
function answerOf(authenticator: Authenticator, head: Head): Identity | Challenge {
  const answer = authenticator.authenticate(head)
  if (answer instanceof Promise) throw new Error('expected an immediate answer, got a promise')
  return answer
}

const shown = (answer: Identity | Challenge): string =>
  answer.kind === 'identity'
    ? `${answer.principal.issuer}/${answer.principal.subject} at ${answer.tenant.name}`
    : `${answer.status}`

describe('without keys', () => {
  const closed = createAuthenticator({ tenants })
  const anybody = createAuthenticator({ tenants, anonymous: true })

  test.each([
    ['a peer on this machine', headOf({ loopback: true }), 'local/local at default', 'local/local at default'],
    [
      'a peer on this machine, at a tenant',
      headOf({ loopback: true, tenant: 'acme' }),
      'local/local at acme',
      'local/local at acme',
    ],
    ['a peer on stdio', headOf({ transport: 'stdio' }), 'local/local at default', 'local/local at default'],
    ['a peer elsewhere', headOf(), '401', 'anonymous/anonymous at default'],
    ['a peer elsewhere with some key', bearing('alice-key'), '401', 'anonymous/anonymous at default'],
    ['a peer on a bus', headOf({ transport: 'nats' }), '401', 'anonymous/anonymous at default'],
    ['an unknown tenant', headOf({ loopback: true, tenant: 'unknown' }), '404', '404'],
    ['an inherited name', headOf({ loopback: true, tenant: 'constructor' }), '404', '404'],
  ])('%s', (_name, head, expected, whenAnonymous) => {
    expect(shown(answerOf(closed, head))).toBe(expected)
    expect(shown(answerOf(anybody, head))).toBe(whenAnonymous)
  })

  test('without the tenant `default`, the path without a tenant is unknown', () => {
    const authenticator = createAuthenticator({ tenants: [tenantNamed('acme')] })
    expect(shown(answerOf(authenticator, headOf({ loopback: true })))).toBe('404')
    expect(shown(answerOf(authenticator, headOf({ loopback: true, tenant: 'acme' })))).toBe('local/local at acme')
  })
})

describe.each([false, true])('with keys (anonymous: %s)', (anonymous) => {
  const authenticator = createAuthenticator({ tenants, apiKeys, anonymous })

  test.each([
    ['a key', bearing('alice-key'), 'api-key/alice at default'],
    ['another key of the same name', bearing('alice-new-key'), 'api-key/alice at default'],
    ['a key at its tenant', bearing('bob-key', { tenant: 'acme' }), 'api-key/bob at acme'],
    ['a key on a WebSocket', bearing('alice-key', { transport: 'websocket' }), 'api-key/alice at default'],
    ['a key at a tenant that it is no member of', bearing('alice-key', { tenant: 'acme' }), '404'],
    ['a key of a tenant on the plain path', bearing('bob-key'), '404'],
    ['a key at no tenant', bearing('bob-key', { tenant: 'unknown' }), '404'],
    ['no key', headOf(), '401'],
    ['no key on this machine', headOf({ loopback: true }), '401'],
    ['no key at no tenant', headOf({ tenant: 'unknown' }), '401'],
    ['an unknown key', bearing('carol-key'), '401'],
    ['an unknown key at no tenant', bearing('carol-key', { tenant: 'unknown' }), '401'],
    ['the start of a key', bearing('alice'), '401'],
    ['the hash of a key', bearing(hashApiKey('alice-key')), '401'],
    ['the digits of the hash', bearing(hashApiKey('alice-key').slice(7)), '401'],
    ['a name', bearing('__proto__'), '401'],
    ['another scheme', headOf({ headers: { authorization: 'Basic YWxpY2Uta2V5' } }), '401'],
    ['an empty header', headOf({ headers: { authorization: '' } }), '401'],
    ['two keys in one header', headOf({ headers: { authorization: 'Bearer alice-key, Bearer bob-key' } }), '401'],
    ['stdio, whose peer started the gateway', headOf({ transport: 'stdio' }), 'local/local at default'],
  ])('%s', (_name, head, expected) => {
    expect(shown(answerOf(authenticator, head))).toBe(expected)
  })

  test('keys with one name are one principal, keys with two names are two', () => {
    const keyOf = (head: Head): string => (answerOf(authenticator, head) as Identity).principal.key
    expect(keyOf(bearing('alice-key'))).toBe(keyOf(bearing('alice-new-key')))
    expect(keyOf(bearing('alice-new-key', { tenant: 'acme' }))).not.toBe(keyOf(bearing('bob-key', { tenant: 'acme' })))
  })
})

describe('a challenge', () => {
  const authenticator = createAuthenticator({ tenants, apiKeys })
  const challenged = (head: Head): Challenge => answerOf(authenticator, head) as Challenge

  test('asks for a bearer token, and describes the fault of the received token', () => {
    expect(challenged(headOf()).headers).toEqual({ 'www-authenticate': 'Bearer' })
    expect(challenged(bearing('carol-key')).headers['www-authenticate']).toMatch(
      /^Bearer error="invalid_token", error_description="/,
    )
    expect(challenged(headOf({ headers: { authorization: 'Basic x' } })).headers['www-authenticate']).toMatch(
      /^Bearer error="invalid_request"/,
    )
    expect(challenged(bearing('a'.repeat(9_000))).headers['www-authenticate']).toMatch(/ of at most 8192 characters"/)
  })

  test('is the same for a foreign tenant and for an unknown one, regardless of its profile', () => {
    const foreign = challenged(bearing('alice-key', { tenant: 'globex' }))
    const none = challenged(bearing('alice-key', { tenant: 'unknown' }))
    expect(JSON.stringify(foreign)).toBe(JSON.stringify(none))
    expect(foreign.error.data?.value()).toEqual(none.error.data?.value())
    expect(foreign).toMatchObject({ status: 404, headers: {}, error: { status: 404 } })
  })

  test.each([
    [undefined, -32000],
    ['2025-11-25', -32000],
    ['2026-07-28', 401],
    ['nonsense', -32000],
  ])('to a client of %s has code %i', (revision, code) => {
    const headers = revision === undefined ? {} : { 'mcp-protocol-version': revision }
    expect(challenged(headOf({ headers }))).toMatchObject({ status: 401, error: { code, status: 401 } })
  })

  test('never repeats a key', () => {
    const answer = challenged(bearing('carol-secret'))
    expect(JSON.stringify([answer, answer.error.data?.value()])).not.toContain('carol-secret')
  })
})

test('every refusal is reported with its reason, and without the name of an unknown tenant', () => {
  const events: TelemetryEvent[] = []
  const authenticator = createAuthenticator({ tenants, apiKeys, emit: (event) => events.push(event) })
  const refused: readonly [Head, string, string][] = [
    [headOf({ tenant: 'acme' }), 'acme', 'missing'],
    [headOf({ headers: { authorization: 'Basic x' } }), 'default', 'malformed'],
    [bearing('carol-key', { transport: 'websocket' }), 'default', 'unknown_key'],
    [bearing('alice-key', { tenant: 'acme' }), 'acme', 'not_a_member'],
    [bearing('alice-key', { tenant: 'unknown' }), '', 'not_a_member'],
  ]
  for (const [head] of refused) answerOf(authenticator, head)
  answerOf(authenticator, bearing('alice-key'))
  expect(events).toEqual(
    refused.map(([{ transport }, tenant, reason]) => ({ kind: 'access_refused', transport, tenant, reason })),
  )
})

test.each([
  [[{ name: 'x', hash: 'x-key' }], /API key "x": hash must be "sha256:"/],
  [
    [{ name: 'x', hash: hashApiKey('x'), tenants: ['default', 'unknown'] }],
    /API key "x": there is no tenant "unknown"/,
  ],
  [
    [
      { name: 'x', hash: hashApiKey('k') },
      { name: 'y', hash: hashApiKey('k') },
    ],
    /API keys "x" and "y" are the same key/,
  ],
])('keys that can never be used are refused with CONFIG_INVALID: %o', (keys, message) => {
  expect(() => createAuthenticator({ tenants, apiKeys: keys })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
  )
})
