import { OAuthMemory, PersonWithBrowser, redirectUrl, officialClients, startAlternatingProxy } from '@junctor/testkit'
import { createHash } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect, onTestFinished } from 'vitest'
import { furtherScope, offeredScope, startAuthorizationServer } from '../fixtures/authorization-server.ts'
import { audience, startIssuer } from '../fixtures/issuer.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { getTokens } from '../src/login/get-tokens.ts'
import { rawRequest } from '../src/raw-request.ts'
import { errorOf, namesOf, resultOf } from '../src/result-of.ts'
import { openSessionAtNodes } from '../src/session-at-nodes.ts'
import { openStatelessClient } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const
const as = (token: string) => ({ authorization: `Bearer ${token}` })
const add = { name: 'demo__add', arguments: { a: 2, b: 3 } }
const echo = { name: 'demo__echo', arguments: { message: 'hello' } }
const key = 'key-of-ada'

const config = {
  publicUrl: 'https://gw.example.com',
  tenants: { default: { backends: ['demo'] }, acme: { backends: ['demo'] } },
}

async function authOfTest() {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  const auth = {
    ...issuer.auth,
    scopes: ['mcp'],
    toolScopes: { 'demo:add': 'sums', 'demo:a*': ['all-of-a'] },
    apiKeys: { ada: { hash: `sha256:${createHash('sha256').update(key).digest('hex')}` } },
  }
  return { issuer, auth }
}

function challengeFor(scope: string, path = '/mcp'): string {
  const lacking = 'error="insufficient_scope", error_description="The token lacks a scope that is required here"'
  const metadata = `https://gw.example.com/.well-known/oauth-protected-resource${path}`
  return `Bearer ${lacking}, scope="${scope}", resource_metadata="${metadata}"`
}

/** The answer to a call without a session. */
async function called(url: string, token: string, message: object) {
  const answer = await rawRequest(url, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: 'gw.example.com',
      ...as(token),
    },
    body: JSON.stringify(message),
  })
  return { status: answer.status, says: answer.headers['www-authenticate'], text: await answer.text() }
}

verifies('ACCESS-15', http, async (cell) => {
  const { issuer, auth } = await authOfTest()
  const token = (scope: string) => issuer.token({ scope, aud: audience })
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway, http: open }) => {
      const session = await openSessionAtNodes(gateway.urls, { headers: as(token('mcp')) })
      for (const node of session.nodes) {
        expect(namesOf(await node.request('tools/list'))).toContain('demo__add')
        expect(resultOf(await node.request('tools/call', echo))).toBeDefined()
        const message = { jsonrpc: '2.0', id: 'add', method: 'tools/call', params: add }
        const refusals: readonly (readonly [string, string])[] = [
          ['mcp', 'mcp sums all-of-a'],
          ['mcp sums', 'mcp sums all-of-a'],
          ['mcp all-of-a other', 'mcp all-of-a sums'],
        ]
        for (const [scope, asked] of refusals) {
          const answer = await node.post({ ...message, id: scope }, as(token(scope)))
          expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, challengeFor(asked)])
          const { message: refused } = await node.until(({ message: { id } }) => id === scope)
          expect(errorOf(refused)).toMatchObject({
            code: -32_000,
            data: { reason: 'insufficient_scope', scope: asked },
          })
        }
        // No job is made of it.
        const later = await node.post({ ...message, id: 'later' }, { ...as(token('mcp')), prefer: 'respond-async' })
        const asked = challengeFor('mcp sums all-of-a')
        expect([later.status, later.headers.get('www-authenticate')]).toEqual([403, asked])
        // The same session goes on with a better token, also of a key, which has no scopes.
        expect((await node.post({ ...message, id: 'both' }, as(token('all-of-a mcp sums')))).status).toBe(200)
        const { message: summed } = await node.until(({ message: { id } }) => id === 'both')
        expect(resultOf(summed)).toMatchObject({ structuredContent: { sum: 5 } })
      }
      await session.close()
      const byKey = await open({ headers: as(key) })
      expect(resultOf(await byKey.request('tools/call', add))).toBeDefined()
    },
    { config: { ...config, auth } },
  )
})

verifies('ACCESS-15', http, async (cell) => {
  const { issuer, auth } = await authOfTest()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      // A revision without sessions, at each endpoint.
      for (const path of ['', '/-/demo']) {
        const one = await openStatelessClient(
          { ...gateway, urls: gateway.urls.map((url) => `${url}${path}`) },
          { way: 'http' },
          { headers: as(issuer.token({ scope: 'mcp', aud: audience })) },
        )
        for (const _ of gateway.urls) {
          const answer = await one.send('tools/call', one.declared({ ...add, name: path === '' ? 'demo__add' : 'add' }))
          expect(answer?.status).toBe(403)
          expect(answer?.headers.get('www-authenticate')).toBe(challengeFor('mcp sums all-of-a', `/mcp${path}`))
        }
        await one.close()
      }
      const call = { jsonrpc: '3.0', id: 1, method: 'tools/call', params: add }
      for (const url of gateway.urls) {
        const own = await called(`${url}/acme`, issuer.token({ scope: 'mcp', aud: `${audience}/acme` }), call)
        expect([own.status, own.says]).toEqual([403, challengeFor('mcp sums all-of-a', '/mcp/acme')])
        expect(JSON.parse(own.text)).toMatchObject({ error: { code: -32_003, title: 'Forbidden' } })
      }
    },
    { config: { ...config, auth } },
  )
})

verifies('ACCESS-15', { ways: ['websocket', 'stdio'], revisions: ['2025-11-25'] }, async (cell) => {
  const { issuer, auth } = await authOfTest()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      const one = await client({ headers: as(issuer.token({ scope: 'mcp', aud: audience })) })
      const answer: JsonObject = await one.request('tools/call', add)
      // Who has started the gateway has no token.
      if (cell.way === 'stdio') expect(resultOf(answer)).toBeDefined()
      else expect(errorOf(answer)).toMatchObject({ data: { reason: 'insufficient_scope', scope: 'mcp sums all-of-a' } })
      expect(resultOf(await one.request('tools/call', echo))).toBeDefined()
    },
    { config: { ...config, auth } },
  )
})

verifies('ACCESS-16', http, async (cell) => {
  const authority = await startAuthorizationServer()
  const proxy = await startAlternatingProxy()
  onTestFinished(async () => void (await Promise.all([authority.close(), proxy.close()])))
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      proxy.targets = gateway.urls.map((url) => new URL(url).origin)
      const url = new URL(`${proxy.url}/mcp`)
      for (const open of Object.values(officialClients)) {
        const memory = new OAuthMemory('official')
        const ada = new PersonWithBrowser('ada')
        await getTokens(open(url, memory), memory, ada)
        const second = open(url, memory)
        await second.connect()
        expect(await second.client.callTool(echo)).toMatchObject({ content: [{ text: 'hello' }] })
        await expect(second.client.callTool(add)).rejects.toThrow(/[Uu]nauthorized|scope/)
        expect(memory.page?.searchParams.get('scope')?.split(' ')).toEqual(
          expect.arrayContaining([offeredScope, furtherScope]),
        )
        await second.finish((await ada.authorize(memory.page as URL, redirectUrl)).searchParams)
        expect(await second.client.callTool(add)).toMatchObject({ structuredContent: { sum: 5 } })
        await second.client.close()
      }
    },
    {
      config: {
        publicUrl: proxy.url,
        auth: {
          issuer: authority.url,
          audience: 'https://elsewhere.example.com/mcp',
          scopes: [offeredScope],
          toolScopes: { 'demo:add': furtherScope },
        },
      },
    },
  )
})
