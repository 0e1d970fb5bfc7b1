import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { silentLog } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import { startHttpServer, type TestHttpServer } from '@junctor/testkit/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createIntrospector } from './introspect-token.ts'
import { createClaimsJudge } from './judge-claims.ts'
import { createMembership } from '../membership.ts'
import type { VerifyToken } from './verify-token.ts'

const issuer = { issuer: 'https://id.example.com', audience: ['gw'], algorithms: ['ES256'], scopes: ['mcp'] }
const now = 1_000_000_000_000
const seconds = now / 1000
const good = { active: true, iss: issuer.issuer, aud: 'gw', sub: 'ada', scope: 'mcp x', exp: seconds + 300 }

let server: TestHttpServer
let check: VerifyToken
let answer: unknown
let status: number
let asked: { headers: IncomingHttpHeaders; form: URLSearchParams }[]
let held: (() => void)[] | undefined
const logged: unknown[] = []

beforeEach(async () => {
  answer = good
  status = 200
  logged.length = 0
  asked = []
  held = undefined
  server = await startHttpServer(async (request, response) => {
    asked.push({ headers: request.headers, form: new URLSearchParams(await text(request)) })
    const send = (): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }
    if (held === undefined) send()
    else held.push(send)
  })
  check = createIntrospector({
    url: `${server.origin}/introspect`,
    clientId: 'a gateway',
    clientSecret: 'p:w/ü',
    reuseMs: 10_000,
    signed: false,
    issuer: issuer.issuer,
    judge: createClaimsJudge(issuer, createMembership(['gw'], [{ tenant: { name: 'default', profile: mcpProfile } }])),
    now: () => now,
    log: { ...silentLog, warn: (...line) => logged.push(line) },
  })
})

afterEach(() => server.close())

test('asks with its own credentials, and trusts the answer for ten seconds, or until the token expires', async () => {
  expect(await check('opaque', false)).toMatchObject({ kind: 'caller', expires: now + 10_000 })
  expect(asked[0]?.form.get('token')).toBe('opaque')
  const credentials = Buffer.from('a+gateway:p%3Aw%2F%C3%BC').toString('base64')
  expect(asked[0]?.headers.authorization).toBe(`Basic ${credentials}`)
  answer = { ...good, exp: seconds + 5 }
  expect(await check('opaque', false)).toMatchObject({ expires: now + 5_000 })
  answer = { active: true, aud: ['gw'], client_id: 'program', scope: 'mcp' }
  expect(await check('opaque', false)).toMatchObject({ kind: 'caller', expires: now + 10_000 })
})

test('a member that is null is one that is missing', async () => {
  answer = { ...good, iss: null, exp: null, nbf: null, cnf: null, client_id: null }
  expect(await check('opaque', false)).toMatchObject({ kind: 'caller', expires: now + 10_000 })
  answer = { ...good, sub: null, client_id: 'program' }
  expect(await check('opaque', false)).toMatchObject({ kind: 'caller' })
  answer = { ...good, aud: null }
  expect(await check('opaque', false)).toEqual({ kind: 'refused', fault: 'audience' })
})

test.each([
  ['inactive', { active: false }],
  ['inactive', { ...good, active: 'true' }],
  ['inactive', {}],
  ['issuer', { ...good, iss: 'https://other.example.com' }],
  ['audience', { ...good, aud: 'other' }],
  ['audience', { ...good, aud: undefined }],
  ['scope', { ...good, scope: 'mc' }],
  ['subject', { ...good, sub: '' }],
  ['expired', { ...good, exp: seconds - 31 }],
  ['expired', { ...good, exp: 'never' }],
  ['early', { ...good, nbf: seconds + 31 }],
])('a token is refused by its %s: %j', async (fault, given) => {
  answer = given
  expect(await check('opaque', false)).toEqual({ kind: 'refused', fault })
})

test.each([
  [200, null],
  [200, 'text'],
  [401, good],
  [302, good],
  [500, { active: true }],
])('an answer %i %j judges nothing, and the token is not in the log', async (code, given) => {
  status = code
  answer = given
  expect(await check('a-canary', false)).toEqual({ kind: 'no_keys', retryAfterMs: 5_000 })
  expect(JSON.stringify(logged)).not.toContain('canary')
})

test('invented tokens are not more than 32 questions at the same time', async () => {
  held = []
  const checks = Array.from({ length: 40 }, (_, index) => check(`invented ${index}`, false))
  const refused = await Promise.all(checks.slice(32))
  expect([refused.length, ...new Set(refused.map((verdict) => JSON.stringify(verdict)))]).toEqual([
    8,
    '{"kind":"no_keys","retryAfterMs":1000}',
  ])
  await expect.poll(() => held?.length).toBe(32)
  // Nobody can invent a token that was accepted before: its caller does not wait for those who invent others.
  const known = check('known', true)
  await expect.poll(() => held?.length).toBe(33)
  for (const send of held) send()
  expect(await known).toMatchObject({ kind: 'caller' })
  expect((await Promise.all(checks)).filter(({ kind }) => kind === 'caller')).toHaveLength(32)
  held = undefined
  expect(await check('next', false)).toMatchObject({ kind: 'caller' })
})

test('invented tokens do not fill the log while the server cannot be asked, and the log says why', async () => {
  await server.close()
  for (let token = 0; token < 100; token += 1) {
    expect(await check(`invented ${token}`, false)).toMatchObject({ kind: 'no_keys' })
  }
  const reason: unknown = expect.stringContaining('ECONNREFUSED')
  expect(logged).toEqual([['the authorization server cannot be asked about a token', { reason, tokens: 1 }]])
})
