import type { Challenge, Head, Identity, Tenant } from '@junctor/exchange'
import { mcpProfile } from '@junctor/protocol'
import { describe, expect, test } from 'vitest'
import { type ApiKey, hashApiKey } from './api-key.ts'
import { createAuthenticator } from './authenticator.ts'

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

const tenantNamed = (name: string, profile = mcpProfile): [string, Tenant] => [name, { name, profile }]
const tenants = new Map([
  tenantNamed('default'),
  tenantNamed('acme'),
  tenantNamed('globex', { ...mcpProfile, errors: 'saas' }),
])

const apiKeys: readonly ApiKey[] = [
  { name: 'alice', hash: hashApiKey('alice-key') },
  { name: 'alice', hash: hashApiKey('alice-new-key'), tenants: ['default', 'acme'] },
  { name: 'bob', hash: hashApiKey('bob-key'), tenants: ['acme'] },
]

const told = (answer: Identity | Challenge): string =>
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
    ['an unknown tenant', headOf({ loopback: true, tenant: 'nobody' }), '404', '404'],
    ['an inherited name', headOf({ loopback: true, tenant: 'constructor' }), '404', '404'],
  ])('%s', (_name, head, expected, whenAnonymous) => {
    expect(told(closed.authenticate(head))).toBe(expected)
    expect(told(anybody.authenticate(head))).toBe(whenAnonymous)
  })

  test('there is no plain path without a tenant for it', () => {
    const authenticator = createAuthenticator({ tenants: new Map([tenantNamed('acme')]) })
    expect(told(authenticator.authenticate(headOf({ loopback: true })))).toBe('404')
    expect(told(authenticator.authenticate(headOf({ loopback: true, tenant: 'acme' })))).toBe('local/local at acme')
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
    ['a key at no tenant', bearing('bob-key', { tenant: 'nobody' }), '404'],
    ['no key', headOf(), '401'],
    ['no key on this machine', headOf({ loopback: true }), '401'],
    ['no key at no tenant', headOf({ tenant: 'nobody' }), '401'],
    ['an unknown key', bearing('carol-key'), '401'],
    ['an unknown key at no tenant', bearing('carol-key', { tenant: 'nobody' }), '401'],
    ['the start of a key', bearing('alice'), '401'],
    ['the hash of a key', bearing(hashApiKey('alice-key')), '401'],
    ['the digits of the hash', bearing(hashApiKey('alice-key').slice(7)), '401'],
    ['a name', bearing('__proto__'), '401'],
    ['another scheme', headOf({ headers: { authorization: 'Basic YWxpY2Uta2V5' } }), '401'],
    ['an empty header', headOf({ headers: { authorization: '' } }), '401'],
    ['two keys in one header', headOf({ headers: { authorization: 'Bearer alice-key, Bearer bob-key' } }), '401'],
    ['stdio, whose peer started the gateway', headOf({ transport: 'stdio' }), 'local/local at default'],
  ])('%s', (_name, head, expected) => {
    expect(told(authenticator.authenticate(head))).toBe(expected)
  })

  test('keys of one name are one principal, keys of two names are two', () => {
    const keyOf = (head: Head): string => (authenticator.authenticate(head) as Identity).principal.key
    expect(keyOf(bearing('alice-key'))).toBe(keyOf(bearing('alice-new-key')))
    expect(keyOf(bearing('alice-new-key', { tenant: 'acme' }))).not.toBe(keyOf(bearing('bob-key', { tenant: 'acme' })))
  })
})

describe('a challenge', () => {
  const authenticator = createAuthenticator({ tenants, apiKeys })
  const challenged = (head: Head): Challenge => authenticator.authenticate(head) as Challenge

  test('asks for a bearer token, and says what was wrong with the one that came', () => {
    expect(challenged(headOf()).headers).toEqual({ 'www-authenticate': 'Bearer' })
    expect(challenged(bearing('carol-key')).headers['www-authenticate']).toMatch(
      /^Bearer error="invalid_token", error_description="/,
    )
    expect(challenged(headOf({ headers: { authorization: 'Basic x' } })).headers['www-authenticate']).toMatch(
      /^Bearer error="invalid_request"/,
    )
  })

  test('for a foreign tenant and for none is the same, whatever the profile of the foreign one', () => {
    const foreign = challenged(bearing('alice-key', { tenant: 'globex' }))
    const none = challenged(bearing('alice-key', { tenant: 'nobody' }))
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

test.each([
  [[{ name: 'x', hash: 'x-key' }], /API key "x": hash must be "sha256:"/],
  [[{ name: 'x', hash: hashApiKey('x'), tenants: ['default', 'nobody'] }], /API key "x": there is no tenant "nobody"/],
  [
    [
      { name: 'x', hash: hashApiKey('k') },
      { name: 'y', hash: hashApiKey('k') },
    ],
    /API keys "x" and "y" are the same key/,
  ],
])('keys that could never be used are told to whoever configured them: %o', (keys, message) => {
  expect(() => createAuthenticator({ tenants, apiKeys: keys })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
  )
})
