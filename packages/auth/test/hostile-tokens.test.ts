import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Challenge, TelemetryEvent } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Authenticator, createAuthenticator } from '../src/index.ts'
import { bearing } from './support/head.ts'
import { createSigningKey, encoded, hmacToken } from './support/signing-key.ts'
import { startTestIssuer, type TestIssuer } from './support/test-issuer.ts'

const audience = 'https://gw.example.com/mcp'
const canary = 'canary-of-ada'
const rsa = createSigningKey('rsa', 'RS256')
const elliptic = createSigningKey('elliptic', 'ES256')
const edwards = createSigningKey('edwards', 'EdDSA')
const weak = createSigningKey('weak', 'RS256', 1024)
const foreign = createSigningKey('rsa', 'RS256')
/** For the test with two keys without a name. */
const nameless = [createSigningKey('', 'ES256'), createSigningKey('', 'ES256')] as const

const seconds = (): number => Math.floor(Date.now() / 1000)
const events: TelemetryEvent[] = []
let issuer: TestIssuer
let authenticator: Authenticator

/** Valid claims, overridden by the given ones. */
const claims = (more: object = {}): object => ({
  iss: issuer.issuer,
  aud: audience,
  sub: canary,
  exp: seconds() + 300,
  ...more,
})

beforeAll(async () => {
  issuer = await startTestIssuer()
  const published = [rsa, elliptic, edwards, weak].map(({ jwk }) => jwk)
  issuer.keys = [...published, { kty: 'oct', kid: 'oct', k: 'c2VjcmV0' }]
  authenticator = createAuthenticator({
    tenants: [{ tenant: { name: 'default', profile: mcpProfile } }],
    issuer: { issuer: issuer.issuer, audience: [audience], algorithms: ['RS256', 'ES256', 'EdDSA'], type: 'at+jwt' },
    emit: (event) => events.push(event),
  })
})

afterAll(async () => {
  authenticator.close()
  await issuer.close()
})

const typ = 'at+jwt'
const signed = (more?: object, header: object = {}): string => rsa.token(claims(more), { typ, ...header })
const unsigned = (header: object): string => `${encoded({ typ, ...header })}.${encoded(claims())}.`

describe('a valid token', () => {
  test.each([
    ['RS256', () => signed()],
    ['ES256', () => elliptic.token(claims(), { typ })],
    ['EdDSA', () => edwards.token(claims(), { typ })],
    ['one of several audiences', () => signed({ aud: ['https://other.example.com', audience] })],
    ['the long form of the type', () => signed({}, { typ: 'application/at+jwt' })],
    ['expired within the tolerance', () => signed({ exp: seconds() - 20 })],
    ['valid soon, within the tolerance', () => signed({ nbf: seconds() + 20 })],
    ['a name for places of keys that is not read', () => signed({}, { jku: 'https://evil.example.com' })],
  ])('%s', async (_name, token) => {
    expect(await authenticator.authenticate(bearing(token()))).toMatchObject({
      kind: 'identity',
      principal: { issuer: issuer.issuer, subject: canary, key: JSON.stringify([issuer.issuer, canary]) },
      tenant: { name: 'default' },
    })
  })
})

const expiredReason = ['expired', /has expired/] as const
const refused = (why: RegExp) => ['invalid_token', why] as const

const hostile: readonly [string, () => string, readonly [string, RegExp]][] = [
  ['no algorithm', () => unsigned({ alg: 'none' }), refused(/algorithm/)],
  ['no algorithm, in another spelling', () => unsigned({ alg: 'NoNe' }), refused(/algorithm/)],
  ['no algorithm, with a signature', () => signed({}, { alg: 'none' }), refused(/algorithm/)],
  ['no "alg"', () => unsigned({}), refused(/Expected a JSON Web Token/)],
  ['an algorithm that is a list', () => unsigned({ alg: ['RS256'] }), refused(/Expected a JSON Web Token/)],
  ['an algorithm of every object', () => unsigned({ alg: 'constructor' }), refused(/algorithm/)],
  [
    'an HMAC with the public key',
    () => hmacToken({ typ, alg: 'HS256', kid: 'rsa' }, claims(), rsa.pem),
    refused(/algorithm/),
  ],
  [
    'an HMAC with the public key, declared as RSA',
    () => hmacToken({ typ, alg: 'RS256', kid: 'rsa' }, claims(), rsa.pem),
    refused(/signature/),
  ],
  [
    'an HMAC with a symmetric key of the set',
    () => hmacToken({ typ, alg: 'HS256', kid: 'oct' }, claims(), 'secret'),
    refused(/algorithm/),
  ],
  ['an algorithm that is not listed', () => signed({}, { alg: 'RS512' }), refused(/algorithm/)],
  ['a key for another algorithm', () => signed({}, { alg: 'ES256' }), refused(/key/)],
  ['the signature of another key', () => foreign.token(claims(), { typ }), refused(/signature/)],
  ['an empty signature', () => `${signed().split('.').slice(0, 2).join('.')}.`, refused(/signature/)],
  [
    'claims changed after signing',
    () => [signed().split('.')[0], encoded(claims({ sub: 'root' })), signed().split('.')[2]].join('.'),
    refused(/signature/),
  ],
  ['a weak key', () => weak.token(claims(), { typ }), refused(/signature/)],
  ['another issuer', () => signed({ iss: 'https://evil.example.com' }), refused(/another issuer/)],
  ['the issuer with a slash', () => signed({ iss: `${issuer.issuer}/` }), refused(/another issuer/)],
  ['the issuer in a list', () => signed({ iss: [issuer.issuer] }), refused(/another issuer/)],
  ['no issuer', () => signed({ iss: undefined }), refused(/another issuer/)],
  ['another audience', () => signed({ aud: 'https://other.example.com' }), refused(/not meant for/)],
  ['an audience that begins like ours', () => signed({ aud: `${audience}evil` }), refused(/not meant for/)],
  ['the audience of a tenant that is not there', () => signed({ aud: `${audience}/acme` }), refused(/not meant for/)],
  ['the audience with a slash', () => signed({ aud: `${audience}/` }), refused(/not meant for/)],
  ['an empty list of audiences', () => signed({ aud: [] }), refused(/not meant for/)],
  ['an audience in a list in a list', () => signed({ aud: [[audience]] }), refused(/not meant for/)],
  ['an audience that is an object', () => signed({ aud: { 0: audience, length: 1 } }), refused(/not meant for/)],
  ['no audience', () => signed({ aud: undefined }), refused(/not meant for/)],
  ['no expiry', () => signed({ exp: undefined }), refused(/when it expires/)],
  ['an expiry in words', () => signed({ exp: '2999-01-01' }), refused(/when it expires/)],
  ['expired', () => signed({ exp: seconds() - 40 }), expiredReason],
  ['expired long ago', () => signed({ exp: -1 }), expiredReason],
  ['valid in the future', () => signed({ nbf: seconds() + 60 }), refused(/not valid yet/)],
  ['valid from a day in words', () => signed({ nbf: 'tomorrow' }), refused(/not valid yet/)],
  ['another type', () => signed({}, { typ: 'JWT' }), refused(/another type/)],
  ['no type', () => signed({}, { typ: undefined }), refused(/another type/)],
  ['no bearer', () => signed({ sub: undefined }), refused(/who its bearer is/)],
  ['an empty bearer', () => signed({ sub: '', client_id: 'app' }), refused(/who its bearer is/)],
  ['a bearer that is a number', () => signed({ sub: 1, client_id: 'app' }), refused(/who its bearer is/)],
  ['a critical extension', () => signed({}, { crit: ['x'], x: 1 }), refused(/Expected a JSON Web Token/)],
  ['a critical extension that jose knows', () => signed({}, { crit: ['b64'], b64: true }), refused(/Expected/)],
  ['a payload that is not encoded', () => signed({}, { crit: ['b64'], b64: false }), refused(/Expected/)],
  ['a key that is a path', () => signed({}, { kid: '../../../../dev/null' }), refused(/does not publish/)],
  ['a key that is a URL', () => signed({}, { kid: 'http://127.0.0.1/key' }), refused(/does not publish/)],
  ['a key that is a query', () => signed({}, { kid: "x' UNION SELECT 'key" }), refused(/does not publish/)],
  ['a key of every object', () => signed({}, { kid: '__proto__' }), refused(/does not publish/)],
  ['a key that is a number', () => signed({}, { kid: 1 }), refused(/does not publish/)],
  ['a key that it brings along', () => foreign.token(claims(), { typ, jwk: foreign.jwk }), refused(/signature/)],
  [
    'a key that it brings along, without a name',
    () => foreign.token(claims(), { typ, kid: undefined, jwk: foreign.jwk }),
    refused(/several keys/),
  ],
  ['two signatures', () => `${signed()}.${signed().split('.')[2]}`, refused(/Expected a JSON Web Token/)],
  ['an encrypted token', () => `${encoded({ alg: 'dir', enc: 'A256GCM' })}.a.b.c.d`, refused(/Expected/)],
  ['claims that are no JSON', () => rsa.token('no JSON', { typ }), refused(/Expected/)],
  ['claims that are a list', () => rsa.token([claims()], { typ }), refused(/Expected/)],
  ['claims that are nothing', () => rsa.token('null', { typ }), refused(/Expected/)],
  ['a header that is no JSON', () => `${encoded('{')}.${encoded(claims())}.x`, refused(/Expected/)],
  ['dots', () => '..', refused(/Expected/)],
  ['a word', () => 'some-word', refused(/Expected/)],
]

describe('an invalid token', () => {
  test.each(hostile)('%s', async (_name, token, [reason, why]) => {
    events.length = 0
    const answer = (await authenticator.authenticate(bearing(token()))) as Challenge
    expect(answer).toMatchObject({ kind: 'challenge', status: 401, error: { code: -32000, status: 401 } })
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]+"$/)
    expect(answer.headers['www-authenticate']).toMatch(why)
    expect(answer.error.message).toMatch(why)
    expect(events).toContainEqual({ kind: 'access_refused', transport: 'http', tenant: 'default', reason })
    const shown = JSON.stringify([answer, answer.error.data?.value(), events])
    const parts = [canary, ...token().split('.')].filter((part) => part.length > 3)
    expect(parts.filter((part) => shown.includes(part))).toEqual([])
  })

  test.each([
    ['longer than any header may be', () => signed({ more: 'x'.repeat(10_000) })],
    ['in the JSON form', () => JSON.stringify({ payload: encoded(claims()), signatures: [{}, {}] })],
  ])('%s', async (_name, token) => {
    const answer = authenticator.authenticate(bearing(token())) as Challenge
    // The token is refused without a check, so the answer is synchronous.
    expect(answer).toMatchObject({ kind: 'challenge', status: 401 })
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_request"/)
  })
})

test('the issuer is asked once for all tokens, and no other server is asked', async () => {
  let calls = 0
  const trap = createServer(() => (calls += 1))
  trap.on('connection', () => (calls += 1))
  await new Promise<void>((resolve) => {
    trap.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/`
  for (const header of [{ jku: url }, { x5u: url }, { kid: url, jku: url, x5u: url }, { iss: url }]) {
    const answer = await authenticator.authenticate(bearing(foreign.token(claims({ iss: url }), { typ, ...header })))
    expect(answer).toMatchObject({ status: 401 })
  }
  await new Promise((resolve) => {
    trap.close(resolve)
  })
  expect(calls).toBe(0)
  expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(1)
})

test.each([
  ['without a key id', undefined],
  ['that names a key', 'same'],
])('a token %s is accepted only when exactly one key matches', async (_name, kid) => {
  const single = await startTestIssuer()
  single.keys = nameless.map(({ jwk }) => ({ ...jwk, kid }))
  const options = {
    tenants: [{ tenant: { name: 'default', profile: mcpProfile } }],
    issuer: { issuer: single.issuer, audience: [audience], algorithms: ['ES256'] },
  }
  const token = nameless[0].token(claims({ iss: single.issuer }), { kid })
  const ambiguous = createAuthenticator(options)
  const refusal = (await ambiguous.authenticate(bearing(token))) as Challenge
  expect(refusal).toMatchObject({ status: 401 })
  expect(refusal.headers['www-authenticate']).toMatch(/several keys that fit .* needs its own/)
  single.keys = single.keys.slice(0, 1)
  const clear = createAuthenticator(options)
  expect(await clear.authenticate(bearing(token))).toMatchObject({ kind: 'identity' })
  await single.close()
})
