import type { Challenge, TelemetryEvent, Head, Identity } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Authenticator, type AuthenticatorOptions, createAuthenticator, hashApiKey } from '../src/index.ts'
import { bearing } from './support/head.ts'
import { createSigningKey } from './support/signing-key.ts'
import { keysPath, metadataPath, startTestIssuer, type TestIssuer, text } from './support/test-issuer.ts'

const audience = 'https://gw.example.com/mcp'
const tenant = { tenant: { name: 'default', profile: mcpProfile } }
const one = createSigningKey('one')

let issuer: TestIssuer
let events: TelemetryEvent[]
let authenticator: Authenticator

const options = (more: Partial<AuthenticatorOptions> = {}): AuthenticatorOptions => ({
  tenants: [tenant],
  issuer: { issuer: issuer.issuer, audience: [audience], algorithms: ['ES256'] },
  emit: (event) => events.push(event),
  ...more,
})
const token = (more: object = {}): string =>
  one.token({ iss: issuer.issuer, aud: audience, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 300, ...more })
const readings = (): number => issuer.asked.filter((path) => path === keysPath).length

beforeEach(async () => {
  issuer = await startTestIssuer()
  issuer.keys = [one.jwk]
  events = []
  authenticator = createAuthenticator(options())
})
afterEach(async () => {
  authenticator.close()
  await issuer.close()
})

describe('with an issuer', () => {
  test('a token is checked once, and later answers are synchronous', async () => {
    const bearer = bearing(token())
    expect(issuer.asked).toEqual([])
    const first = authenticator.authenticate(bearer)
    expect(first).toBeInstanceOf(Promise)
    const identity = await first
    expect(authenticator.authenticate(bearer)).toBe(identity)
    expect(events).toEqual([{ kind: 'issuer_keys_fetched', result: 'success' }])
  })

  test('what its library prints as null counts as left out, in its keys and in its tokens', async () => {
    const nulls = { d: null, dp: null, oth: null, ext: null, key_ops: null, x5c: null }
    issuer.keys = [null, { ...(one.jwk as JsonObject), ...nulls }]
    const claims = { cnf: null, scope: null, act: null }
    expect(await authenticator.authenticate(bearing(token(claims)))).toMatchObject({ principal: { subject: 'ada' } })
    const program = token({ sub: null, client_id: 'robot' })
    expect(await authenticator.authenticate(bearing(program))).toMatchObject({ principal: { subject: 'robot' } })
    const bound = token({ cnf: { jkt: null, 'x5t#S256': null } })
    expect(await authenticator.authenticate(bearing(bound))).toMatchObject({ kind: 'challenge', status: 401 })
  })

  test('a peer on this machine needs a token, except on stdio', () => {
    const bare: Head = { transport: 'http', tenant: undefined, loopback: true, header: () => undefined }
    expect(authenticator.authenticate(bare)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(authenticator.authenticate({ ...bare, transport: 'stdio' })).toMatchObject({ kind: 'identity' })
    expect(events).toEqual([{ kind: 'access_refused', transport: 'http', tenant: 'default', reason: 'missing' }])
    expect(issuer.asked).toEqual([])
  })

  test('API keys are still accepted synchronously, and a text that is neither key nor token is refused as such', async () => {
    const both = createAuthenticator(options({ apiKeys: [{ name: 'ci', hash: hashApiKey('ci-key') }] }))
    expect(both.authenticate(bearing('ci-key'))).toMatchObject({ principal: { issuer: 'api-key', subject: 'ci' } })
    expect(issuer.asked).toEqual([])
    expect(await both.authenticate(bearing(token()))).toMatchObject({ principal: { subject: 'ada' } })
    const unknown = (await both.authenticate(bearing('cd-key'))) as Challenge
    expect(unknown.headers['www-authenticate']).toContain('The API key is not known here')
    expect(events.at(-1)).toMatchObject({ reason: 'unknown_key' })
  })

  test('the principal stays the same when its token is refreshed and signed with another key', async () => {
    const keyOf = async (bearer: string): Promise<string> =>
      ((await authenticator.authenticate(bearing(bearer))) as Identity).principal.key
    const two = createSigningKey('two')
    issuer.keys = [one.jwk, two.jwk]
    const claims = { iss: issuer.issuer, aud: audience, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 600 }
    expect(await keyOf(two.token(claims))).toBe(await keyOf(token()))
  })

  test('a token is accepted until it expires, also when it is cached', async () => {
    // The token has expired within the tolerance: it is valid, but never cached.
    const exp = Math.floor(Date.now() / 1000) - 20
    const late = bearing(token({ exp }))
    expect(await authenticator.authenticate(late)).toMatchObject({ kind: 'identity', expires: (exp + 30) * 1000 })
    expect(authenticator.authenticate(late)).toBeInstanceOf(Promise)
  })
})

describe('with an issuer that does not answer', () => {
  test('callers are asked to retry, and the issuer is asked once', async () => {
    issuer.answers.set(metadataPath, text('', 503))
    const head = bearing(token())
    const answers = await Promise.all(Array.from({ length: 100 }, async () => authenticator.authenticate(head)))
    for (const answer of answers) {
      expect(answer).toMatchObject({ kind: 'challenge', status: 503, error: { code: -32000, status: 503 } })
    }
    const { headers, error } = answers[0] as Challenge
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(5)
    expect(error.data?.value()).toMatchObject({ retryable: true })
    // The same words are for an authorization server that cannot be asked about a token: it has no keys here.
    expect(error.message).toMatch(/issuer does not answer/)
    expect(issuer.asked.filter((path) => path === metadataPath)).toHaveLength(1)
    expect(events.filter(({ kind }) => kind === 'issuer_keys_fetched')).toEqual([
      { kind: 'issuer_keys_fetched', result: 'failure' },
    ])
    expect(events.at(-1)).toEqual({
      kind: 'access_refused',
      transport: 'http',
      tenant: 'default',
      reason: 'no_keys',
    })
  })

  test('a modern client receives its own code, and no null id', async () => {
    issuer.answers.set(metadataPath, text('', 503))
    const modern = bearing(token(), undefined, { 'mcp-protocol-version': '2026-07-28' })
    expect(await authenticator.authenticate(modern)).toMatchObject({ status: 503, error: { code: 503 }, nullId: false })
    expect(await authenticator.authenticate(bearing(token()))).toMatchObject({ status: 503, nullId: true })
  })

  test('API keys are still accepted', async () => {
    await issuer.close()
    const both = createAuthenticator(options({ apiKeys: [{ name: 'ci', hash: hashApiKey('ci-key') }] }))
    expect(both.authenticate(bearing('ci-key'))).toMatchObject({ kind: 'identity' })
  })
})

describe('an authenticator that is renewed', () => {
  test('keeps the keys of the same issuer', async () => {
    await authenticator.authenticate(bearing(token()))
    await issuer.close()
    const acme = { tenant: { name: 'acme', profile: mcpProfile }, members: { claim: 'org', values: ['acme'] } }
    const renewed = authenticator.renew(options({ tenants: [tenant, acme] }))
    expect(await renewed.authenticate(bearing(token({ org: 'acme' }), 'acme'))).toMatchObject({ kind: 'identity' })
  })

  test('refuses every caller that the new options refuse, also when its token is cached', async () => {
    const head = bearing(token())
    expect(await authenticator.authenticate(head)).toMatchObject({ kind: 'identity' })
    const members = { claim: 'org', values: ['acme'] }
    const renewed = authenticator.renew(options({ tenants: [{ ...tenant, members }] }))
    expect(await renewed.authenticate(head)).toMatchObject({ status: 404 })
  })

  test('reads the keys of a different issuer', async () => {
    await authenticator.authenticate(bearing(token()))
    const other = await startTestIssuer()
    const issuerOptions = { issuer: other.issuer, audience: [audience], algorithms: ['ES256'] }
    const renewed = authenticator.renew(options({ issuer: issuerOptions }))
    other.keys = [createSigningKey('one').jwk]
    expect(await renewed.authenticate(bearing(token({ iss: other.issuer })))).toMatchObject({ status: 401 })
    other.keys = []
    expect(other.asked).toContain(keysPath)
    await other.close()
  })

  test('reads no keys without an issuer', async () => {
    const renewed = authenticator.renew(options({ issuer: undefined }))
    expect(renewed.authenticate({ ...bearing(token()), header: () => undefined })).toMatchObject({ kind: 'identity' })
    expect(readings()).toBe(0)
  })
})

test('an issuer that can never be used is refused with CONFIG_INVALID', () => {
  const http = { issuer: 'http://id.example.com', audience: [audience], algorithms: ['ES256'] }
  expect(() => createAuthenticator(options({ issuer: http }))).toThrow(
    /\[CONFIG_INVALID\] auth\.issuer: issuer must be/,
  )
})
