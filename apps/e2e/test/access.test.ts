import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { eventually } from '@junctor/testkit'
import { expect, onTestFinished, vi } from 'vitest'
import { startHttpBackend } from '../fixtures/http-backend.ts'
import { audience, type Issuer, secondsFromNow, startIssuer } from '../fixtures/issuer.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { createLogRecorder } from '../src/log-recorder.ts'
import { rawRequest } from '../src/raw-request.ts'
import { namesOf, textOf } from '../src/result-of.ts'
import { statusesOfVerbs } from '../src/statuses-of-verbs.ts'
import { verifies } from '../src/verifies.ts'
import { openHttpClient } from '../src/wire-client.ts'

const http = { ways: ['http'] } as const
const as = (token: string) => ({ authorization: `Bearer ${token}` })
const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' }

/** An issuer for the duration of a test. */
async function issuerOfTest(): Promise<Issuer> {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  return issuer
}

/** The response to a request without a session: its status, and the content of the challenge. */
async function challenge(url: string, headers: Readonly<Record<string, string>>) {
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const answer = await rawRequest(url, { headers: { ...common, ...headers }, body: JSON.stringify(list) })
  const text = await answer.text()
  return { status: answer.status, says: answer.headers['www-authenticate'], headers: answer.headers, text }
}

verifies('ACCESS-1', http, async (cell) => {
  const issuer = await issuerOfTest()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway, http: open }) => {
      const client = await open({ headers: as(issuer.token()) })
      expect(namesOf(await client.request('tools/list'))).toContain('demo__echo')
      const other = await startIssuer()
      const refused: readonly [Record<string, string>, string | RegExp][] = [
        [{}, 'Bearer'],
        [as(other.token({ iss: issuer.url })), /^Bearer error="invalid_token".*signature/],
        [as(issuer.token({ iss: other.url })), /another issuer/],
        [as(issuer.token({ aud: 'https://other.example.com' })), /not meant for this gateway/],
        [as(issuer.token({ aud: undefined })), /not meant for this gateway/],
        [as(issuer.token({ exp: secondsFromNow(-60) })), /has expired/],
        [as(issuer.token({ exp: undefined })), /when it expires/],
        [as(issuer.token({ nbf: secondsFromNow(60) })), /not valid yet/],
        [as(issuer.token({ sub: undefined })), /who its bearer is/],
        [as(`${issuer.token()}x`), /invalid_token/],
        [{ authorization: 'Basic YTpi' }, /^Bearer error="invalid_request"/],
      ]
      await other.close()
      for (const url of gateway.urls) {
        for (const [headers, says] of refused) {
          const answer = await challenge(url, headers)
          expect(answer).toMatchObject({ status: 401, says: expect.stringMatching(says) })
          expect(JSON.parse(answer.text)).toMatchObject({
            error: { code: -32000, data: { reason: 'unauthenticated' } },
          })
        }
        // A token is valid in the header only.
        expect((await challenge(`${url}?access_token=${issuer.token()}`, {})).status).toBe(401)
      }
      // Each node has read the keys once for all these requests.
      expect(issuer.asked().filter((path) => path === '/jwks')).toHaveLength(cell.nodes)
    },
    { config: { auth: issuer.auth } },
  )
})

verifies('ACCESS-1', http, async (cell) => {
  const issuer = await issuerOfTest()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      const url = new URL(String(gateway.urls[0]))
      const client = new Client({ name: 'official', version: '1' })
      const requestInit = { headers: as(issuer.token()) }
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('demo__echo')
      await client.close()
      const stranger = new Client({ name: 'official', version: '1' })
      await expect(stranger.connect(new StreamableHTTPClientTransport(url))).rejects.toThrow(/Authentication required/)
      await stranger.close()
    },
    { config: { auth: issuer.auth } },
  )
})

verifies('ACCESS-2', http, async (cell) => {
  const issuer = await issuerOfTest()
  const key = 'key-of-ada'
  const hash = `sha256:${createHash('sha256').update(key).digest('hex')}`
  const tenants = { default: { backends: ['demo'] }, acme: { backends: ['demo'] } }
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway, http: open }) => {
      const ada = await open({ headers: as(issuer.token()) })
      const stolen = { 'mcp-session-id': String(ada.session) }
      const others = [issuer.token({ sub: 'bob' }), issuer.token({ sub: undefined, client_id: 'ada' }), key]
      for (const token of others) {
        const thief = await open({ headers: as(token), listens: false })
        expect(await statusesOfVerbs(thief, cell.nodes, stolen)).toEqual(new Set([404]))
      }
      // Her own token for another tenant, with the session of this one.
      const elsewhere = { urls: gateway.urls.map((url) => `${url}/acme`) }
      const token = issuer.token({ aud: `${audience}/acme` })
      const acme = await openHttpClient(elsewhere, cell, { headers: as(token), listens: false })
      expect(await statusesOfVerbs(acme, cell.nodes, stolen)).toEqual(new Set([404]))
      await acme.close()
      const [expired, none] = [as(issuer.token({ exp: secondsFromNow(-60) })), as('none')]
      expect(await statusesOfVerbs(ada, cell.nodes, expired)).toEqual(new Set([401]))
      expect(await statusesOfVerbs(ada, cell.nodes, none)).toEqual(new Set([401]))
      // An event id of hers does not give access either.
      const progress = { name: 'demo__progress', arguments: { steps: 1 }, _meta: { progressToken: 1 } }
      await ada.request('tools/call', progress, 'call')
      const { eventId = '' } = await ada.until(({ message: { id } }) => id === 'call')
      expect(eventId).not.toBe('')
      const bob = await open({ headers: as(issuer.token({ sub: 'bob' })), listens: false })
      for (let count = 0; count < cell.nodes; count += 1) {
        expect((await bob.get({ 'last-event-id': eventId })).status).toBe(400)
        expect((await bob.get({ 'last-event-id': eventId, ...stolen })).status).toBe(404)
        await bob.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
      }
      expect((await ada.request('ping'))['result']).toEqual({})
    },
    { config: { tenants, auth: { ...issuer.auth, apiKeys: { ada: { hash } } } } },
  )
})

// On a node that does not know the session yet.
verifies('ACCESS-2', http, async (cell) => {
  const issuer = await issuerOfTest()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway: { urls } }) => {
      const headers = as(issuer.token())
      const ada = await openHttpClient({ urls: urls.slice(0, 1) }, cell, { headers, listens: false })
      const bobs = as(issuer.token({ sub: 'bob' }))
      const bob = await openHttpClient({ urls: urls.slice(-1) }, cell, { headers: bobs, listens: false })
      const stolen = { 'mcp-session-id': String(ada.session) }
      expect(await statusesOfVerbs(bob, 1, stolen)).toEqual(new Set([404]))
      expect((await bob.post(list, { ...stolen, ...headers })).status).toBe(200)
      await Promise.all([ada.close(), bob.close()])
    },
    { config: { auth: issuer.auth } },
  )
})

verifies('ACCESS-3', http, async (cell) => {
  const issuer = await issuerOfTest()
  await inGateway(
    cell,
    { lean: lean() },
    async ({ http: open }) => {
      const ada = await open({ headers: as(issuer.token({ jti: 'first' })) })
      const call = { name: 'lean__received', arguments: {} }
      await ada.request('tools/call', call)
      for (const jti of ['second', 'third', 'fourth']) {
        const answer = await ada.post(
          { jsonrpc: '2.0', id: jti, method: 'tools/call', params: call },
          as(issuer.token({ jti, scope: 'more', exp: secondsFromNow(600) })),
        )
        expect(answer.status).toBe(200)
        const { message } = await ada.until((received) => received.message['id'] === jti)
        // One child process has received all requests.
        expect(textOf(message).match(/"initialize"/g)).toHaveLength(1)
      }
    },
    { config: { auth: issuer.auth } },
  )
})

verifies('ACCESS-4', http, async (cell) => {
  const issuer = await issuerOfTest()
  const tenants = {
    default: { backends: ['demo'] },
    private: { backends: ['demo'] },
    acme: { backends: ['demo'], members: { claim: 'org', values: ['acme'] } },
    admins: { backends: ['demo'], profile: 'mcp', members: { claim: 'realm_access.roles', values: ['admin'] } },
  }
  const matrix: readonly [object, readonly string[]][] = [
    [{}, ['default']],
    [{ org: 'acme' }, ['default', 'acme']],
    [{ org: ['other', 'acme'], realm_access: { roles: ['admin'] } }, ['default', 'acme', 'admins']],
    [{ org: 'acme-evil' }, ['default']],
    [{ aud: `${audience}/private` }, ['private']],
    [{ aud: [`${audience}/private`, audience], org: 'acme' }, ['private']],
    [{ aud: `${audience}/acme` }, ['acme']],
  ]
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      for (const url of gateway.urls) {
        for (const [claims, opened] of matrix) {
          const headers = as(issuer.token(claims))
          const paths = ['', '/default', '/private', '/acme', '/admins', '/ghost', '/constructor', '/..%2fprivate']
          const answers = await Promise.all(paths.map((path) => challenge(`${url}${path}`, headers)))
          // Without a session, a caller with access gets the error for a missing session.
          const inside = paths.filter((_, index) => answers[index]?.status === 400)
          expect(inside.map((path) => path.slice(1) || 'default').toSorted()).toEqual(
            [...opened, ...opened.filter((name) => name === 'default')].toSorted(),
          )
          // A tenant without access looks exactly like a missing one.
          const outside = answers.filter(({ status }) => status !== 400)
          expect(new Set(outside.map(({ status }) => status))).toEqual(new Set([404]))
          expect(new Set(outside.map(({ text }) => text)).size).toBe(1)
          expect(outside.every(({ says }) => says === undefined)).toBe(true)
        }
      }
    },
    { config: { tenants, auth: issuer.auth } },
  )
})

verifies('ACCESS-5', http, async (cell) => {
  const issuer = await issuerOfTest()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ http: open }) => {
      const ada = await open({ headers: as(issuer.token()) })
      const ask = async (token: string): Promise<number> => (await ada.post(list, as(token))).status
      // Each node has the first key. The next key is looked up only after thirty seconds.
      expect([await ask(issuer.token()), await ask(issuer.token())]).toEqual([200, 200])
      issuer.rotate()
      expect(await ask(issuer.token())).toBe(401)
      passTime(31_000)
      expect([await ask(issuer.token()), await ask(issuer.token())]).toEqual([200, 200])
      // From now on the issuer does not answer: the known keys are used.
      issuer.down = true
      passTime(59 * 60_000)
      expect([await ask(issuer.token({ jti: 'a' })), await ask(issuer.token({ jti: 'b' }))]).toEqual([200, 200])
      passTime(62 * 60_000)
      expect([await ask(issuer.token({ jti: 'c' })), await ask(issuer.token({ jti: 'd' }))]).toEqual([503, 503])
      issuer.down = false
      passTime(63 * 60_000)
      expect([await ask(issuer.token({ jti: 'e' })), await ask(issuer.token({ jti: 'f' }))]).toEqual([200, 200])
    },
    // Time passes for the session too.
    { config: { auth: issuer.auth, limits: { sessionIdle: '5h' } } },
  )
})

/** Moves the clock for key ages this far ahead, until the end of the test. */
function passTime(ms: number): void {
  vi.restoreAllMocks()
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
  onTestFinished(() => void vi.restoreAllMocks())
}

verifies('ACCESS-6', http, async (cell) => {
  const issuer = await issuerOfTest()
  issuer.down = true
  const hash = `sha256:${createHash('sha256').update('key-of-ci').digest('hex')}`
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway, http: open }) => {
      for (const url of gateway.urls) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) => challenge(url, as(issuer.token({ jti: String(index) })))),
        )
        for (const { status, headers, text } of answers) {
          expect(status).toBe(503)
          expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
          expect(JSON.parse(text)).toMatchObject({ error: { data: { retryable: true } } })
        }
      }
      const metadata = issuer.asked().filter((path) => path.includes('oauth-authorization-server'))
      expect(metadata).toHaveLength(cell.nodes)
      const ci = await open({ headers: as('key-of-ci') })
      expect(namesOf(await ci.request('tools/list'))).toContain('demo__echo')
    },
    { config: { auth: { ...issuer.auth, apiKeys: { ci: { hash } } } } },
  )
})

verifies('ACCESS-7', http, async (cell) => {
  const issuer = await issuerOfTest()
  const backend = await startHttpBackend({ answers: 'json' })
  onTestFinished(() => backend.close())
  const recorder = createLogRecorder()
  const seen: string[] = []
  const tokens = {
    good: issuer.token({ jti: 'canary' }),
    expired: issuer.token({ exp: secondsFromNow(-60) }),
    foreign: issuer.token({ aud: 'https://other.example.com' }),
    forged: `${issuer.token({ sub: 'root' }).split('.').slice(0, 2).join('.')}.Zm9yZ2VkIHNpZ25hdHVyZQ`,
    unknown: 'an-unknown-api-key-of-somebody',
    long: `${issuer.token()}${'x'.repeat(9_000)}`,
  }
  await inGateway(
    cell,
    { hand: backend.entry, lean: lean(), demo: demo() },
    async ({ gateway, http: open }) => {
      const ada = await open({ headers: as(tokens.good) })
      for (const name of ['lean__environment', 'lean__received', 'lean__fail', 'hand__echo', 'nothing']) {
        await ada.request('tools/call', { name, arguments: {} })
      }
      await ada.request('nothing/like/it')
      for (const url of gateway.urls) {
        for (const token of Object.values(tokens)) {
          for (const path of ['', '/ghost', `?access_token=${tokens.good}`]) {
            const { text, headers } = await challenge(`${url}${path}`, as(token))
            seen.push(text, JSON.stringify(headers))
          }
        }
      }
      seen.push(JSON.stringify(ada.received))
    },
    { config: { auth: issuer.auth }, log: recorder.log },
  )
  seen.push(inspect(recorder.records, { depth: 20, maxStringLength: null, maxArrayLength: null }))
  seen.push(JSON.stringify(backend.received))
  expect(recorder.records.length).toBeGreaterThan(0)
  expect(backend.received.length).toBeGreaterThan(0)
  const all = seen.join('\n')
  // The first part is equal in all tokens: only the payload and the signature are secret.
  const secrets = Object.values(tokens).flatMap((token) => (token.includes('.') ? token.split('.').slice(1) : [token]))
  for (const secret of secrets) expect(all).not.toContain(secret.slice(0, 20))
})

verifies('ACCESS-8', http, async (cell) => {
  const issuer = await issuerOfTest()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ http: open }) => {
      const ada = await open({ headers: as(issuer.token()), listens: false })
      // Clocks may differ by thirty seconds, of which two are left.
      const late = as(issuer.token({ exp: secondsFromNow(-28) }))
      const stream = await ada.get(late)
      expect(stream.status).toBe(200)
      await eventually(async () => expect((await ada.post(list, late)).status).toBe(401))
      await stream.ended
      expect((await ada.get(as(issuer.token({ jti: 'refreshed' })))).status).toBe(200)
      expect((await ada.request('ping'))['result']).toEqual({})
    },
    { config: { auth: issuer.auth, limits: { streamKeepAlive: '1s' } } },
  )
})
