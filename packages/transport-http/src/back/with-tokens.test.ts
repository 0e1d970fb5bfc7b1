import type { AccessTokens, TokenRefusal } from '@junctor/contracts'
import type { Message } from '@junctor/jsonrpc'
import { type Script, startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createMcpHttpClient } from './index.ts'

const ping: Message = { kind: 'notification', dialect: '2.0', method: 'notifications/x', params: undefined }
const scopeChallenge = 'Bearer error="insufficient_scope", scope="more"'

/** Sends a notification with these tokens. `given`: the answers to refusals, in order. */
async function sent(
  script: Script,
  first: AccessTokens['current'],
  given: (string | Error | undefined)[] = [],
  { headers = {}, query = '' }: { readonly headers?: Record<string, string>; readonly query?: string } = {},
) {
  const server = await startScriptedServer(script)
  const client = createMcpHttpClient({ url: `${server.origin}/mcp${query}`, headers })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const refusals: TokenRefusal[] = []
  const tokens: AccessTokens = {
    current: first,
    async afterRefusal(refusal) {
      refusals.push(refusal)
      const next = given.shift()
      if (next instanceof Error) throw next
      return next
    },
  }
  const failure = await client
    .withTokens(tokens)
    .createSession()
    .send(ping as never)
  return { failure, refusals, seen: server.received.map((one) => one.headers.authorization) }
}

const welcomes =
  (token: string, status = 401, challenge = 'Bearer'): Script =>
  ({ headers }, response) => {
    const isGood = headers.authorization === `Bearer ${token}`
    response.writeHead(isGood ? 202 : status, isGood ? {} : { 'www-authenticate': challenge }).end('why')
  }

test('a request has the token, which may have to be fetched first', async () => {
  expect(await sent(welcomes('a'), () => 'a')).toEqual({ failure: undefined, refusals: [], seen: ['Bearer a'] })
  expect((await sent(welcomes('a'), async () => 'a')).failure).toBeUndefined()
})

test('an explanation of the server does not show the secrets of the request', async () => {
  const key = 'key-of-the-operator'
  const script: Script = ({ headers, path }, response) =>
    response.writeHead(500).end(`Cannot POST ${path}, token ${headers.authorization}, x ${String(headers['x-own'])}`)
  const { failure } = await sent(script, () => 'token-of-ada', [], {
    headers: { 'x-own': `Basic ${key}` },
    query: '?key=a%2Fkey%2Din%2Dit&long',
  })
  expect(failure).toMatchObject({ detail: 'Cannot POST /mcp?key=***&long, token ***, x ***' })
})

test('a refused request is sent again once, with another token', async () => {
  const { failure, refusals, seen } = await sent(welcomes('b'), () => undefined, ['b'])
  expect(failure).toBeUndefined()
  expect(refusals).toEqual([{ token: undefined, status: 401, challenge: 'Bearer' }])
  expect(seen).toEqual([undefined, 'Bearer b'])

  const never = await sent(welcomes('never'), () => 'a', ['b', 'c'])
  expect(never.failure).toMatchObject({ kind: 'refused', status: 401, detail: 'why' })
  expect(never.seen).toEqual(['Bearer a', 'Bearer b'])
})

test('a token that replaces an expired one, and lacks a scope, is replaced too', async () => {
  const script: Script = ({ headers }, response) => {
    const [status, challenge] = headers.authorization === 'Bearer a' ? [401, 'Bearer'] : [403, scopeChallenge]
    const isGood = headers.authorization === 'Bearer c'
    response.writeHead(isGood ? 202 : status, isGood ? {} : { 'www-authenticate': challenge }).end('why')
  }
  const { failure, refusals, seen } = await sent(script, () => 'a', ['b', 'c'])
  expect(failure).toBeUndefined()
  expect(refusals.map(({ status }) => status)).toEqual([401, 403])
  expect(seen).toEqual(['Bearer a', 'Bearer b', 'Bearer c'])

  const never = await sent(script, () => 'a', ['b', 'd', 'e'])
  expect(never.failure).toMatchObject({ kind: 'refused', status: 403 })
  expect(never.seen).toEqual(['Bearer a', 'Bearer b', 'Bearer d'])
})

test('without another token, the refusal is the answer', async () => {
  const { failure, seen } = await sent(welcomes('b'), () => 'a', [undefined])
  expect(failure).toMatchObject({ kind: 'refused', status: 401, detail: 'why' })
  expect(seen).toEqual(['Bearer a'])
})

test('only a 403 that asks for scopes is about tokens', async () => {
  const scoped = await sent(welcomes('b', 403, scopeChallenge), () => 'a', ['b'])
  expect([scoped.failure, scoped.refusals]).toEqual([
    undefined,
    [{ token: 'a', status: 403, challenge: scopeChallenge }],
  ])
  const other = await sent(welcomes('b', 403), () => 'a', ['b'])
  expect([other.failure, other.refusals]).toMatchObject([{ status: 403 }, []])
})

test('challenges in several headers are read as those in one', async () => {
  const script: Script = ({ headers }, response) => {
    const isGood = headers.authorization === 'Bearer b'
    const challenges = ['DPoP algs="ES256"', scopeChallenge]
    response.writeHead(isGood ? 202 : 403, isGood ? {} : { 'www-authenticate': challenges }).end('why')
  }
  const { failure, refusals } = await sent(script, () => 'a', ['b'])
  expect(failure).toBeUndefined()
  expect(refusals).toEqual([{ token: 'a', status: 403, challenge: `DPoP algs="ES256", ${scopeChallenge}` }])
})

test('when there is no token, the request is not sent', async () => {
  const gone = new Error('no token')
  expect(await sent(welcomes('a'), () => Promise.reject(gone))).toEqual({
    failure: { kind: 'unreachable', error: gone },
    refusals: [],
    seen: [],
  })
  expect((await sent(welcomes('b'), () => 'a', [gone])).failure).toEqual({ kind: 'unreachable', error: gone })
})

test('a request that is cut off while it is refused fails', async () => {
  const cut: Script = (_, response) => {
    response.writeHead(401, { 'content-length': '100' })
    response.write('half')
    setImmediate(() => response.destroy())
  }
  const { failure, refusals } = await sent(cut, () => 'a', ['b'])
  expect([failure?.kind, refusals]).toEqual(['interrupted', []])
})

test('an aborted request is not sent when its token comes', async () => {
  const server = await startScriptedServer(welcomes('a'))
  const client = createMcpHttpClient({ url: `${server.origin}/mcp` })
  const token = Promise.withResolvers<string>()
  const tokens: AccessTokens = { current: () => token.promise, afterRefusal: async () => undefined }
  const session = client.withTokens(tokens).createSession()
  const listener = { message: () => expect.fail(), answered: () => expect.fail(), failed: () => expect.fail() }
  const request = { kind: 'request', dialect: '2.0', id: 1, method: 'tools/list', params: undefined }
  session.request(request as never, listener).abandon()
  token.resolve('a')
  // A request that is sent later arrives later.
  expect(await session.send(ping as never)).toBeUndefined()
  expect(server.received.map(({ body }) => body['method'])).not.toContain('tools/list')
  await client.close()
  await server.close()
})
