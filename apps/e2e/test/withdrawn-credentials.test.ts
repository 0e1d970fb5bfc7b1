import { OAuthMemory, PersonWithBrowser, officialClients, startAlternatingProxy } from '@junctor/testkit'
import { createHash } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { gatewayClient, offeredScope, startAuthorizationServer } from '../fixtures/authorization-server.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { getTokens } from '../src/login/get-tokens.ts'
import { parsedFor } from '../src/parsed-for.ts'
import { openSessionAtNodes } from '../src/session-at-nodes.ts'
import { verifies } from '../src/verifies.ts'
import { openWebSocketWire } from '../src/websocket-wire.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const
const as = (token: string) => ({ authorization: `Bearer ${token}` })
const slow = { name: 'demo__slow', arguments: { ms: 60_000 } }
const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' }

/** Streams of all kinds at all nodes, with credentials. Resolves when all have ended. */
async function openAll(urls: readonly string[], headers: Readonly<Record<string, string>>) {
  const session = await openSessionAtNodes(urls, { headers })
  onTestFinished(() => session.close())
  const ends: Promise<unknown>[] = []
  for (const [index, node] of session.nodes.entries()) {
    if (index === 0) ends.push((await node.get()).ended)
    const call = await node.post({ jsonrpc: '2.0', id: `slow ${index}`, method: 'tools/call', params: slow })
    expect(call.headers.get('content-type')).toBe('text/event-stream')
    ends.push(call.ended)
    const socket = await openWebSocketWire(urls[index] as string, headers)
    onTestFinished(() => socket.close())
    ends.push(socket.closed)
  }
  return { session, ended: Promise.all(ends) }
}

verifies('ACCESS-17', http, async (cell) => {
  const authority = await startAuthorizationServer('opaque')
  const proxy = await startAlternatingProxy()
  onTestFinished(async () => void (await Promise.all([authority.close(), proxy.close()])))
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      proxy.targets = gateway.urls.map((url) => new URL(url).origin)
      const url = new URL(`${proxy.url}/mcp`)
      const tokenOf = async (name: string): Promise<OAuthMemory> => {
        const memory = new OAuthMemory(name)
        await getTokens(officialClients.v2(url, memory), memory, new PersonWithBrowser(name))
        return memory
      }
      const [ada, bob] = [await tokenOf('ada'), await tokenOf('bob')]
      const [token, other] = [ada, bob].map((memory) => String(memory.tokens()?.access_token)) as [string, string]
      const host = url.host
      const hers = await openAll(gateway.urls, { ...as(token), host })
      const his = await openAll(gateway.urls, { ...as(other), host })
      const form = new URLSearchParams({ token, client_id: String(ada.clientInformation()?.client_id) })
      expect((await fetch(`${authority.url}/token/revocation`, { method: 'POST', body: form })).status).toBe(200)
      await hers.ended
      for (const node of hers.session.nodes) expect((await node.post(list)).status).toBe(401)
      const open = Symbol('open')
      expect(await Promise.race([his.ended, Promise.resolve(open)])).toBe(open)
      for (const node of his.session.nodes) expect((await node.post(list)).status).toBe(200)
    },
    {
      config: {
        publicUrl: proxy.url,
        auth: {
          issuer: authority.url,
          audience: 'https://elsewhere.example.com/mcp',
          scopes: [offeredScope],
          introspection: { url: `${authority.url}/token/introspection`, ...gatewayClient },
        },
      },
    },
  )
})

verifies('ACCESS-17', http, async (cell) => {
  const keys = Object.fromEntries(
    ['ada', 'bob'].map((name) => [name, { hash: `sha256:${createHash('sha256').update(name).digest('hex')}` }]),
  )
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      const hers = await openAll(gateway.urls, as('ada'))
      const his = await openAll(gateway.urls, as('bob'))
      const file = {
        listen: { http: { port: 0 } },
        backends: { demo: demo() },
        limits: { grace: '100ms' },
        auth: { apiKeys: { bob: keys['bob'] } },
      }
      for (const node of gateway.nodes) expect((await node.reload(parsedFor(file))).kind).toBe('taken')
      await hers.ended
      const open = Symbol('open')
      expect(await Promise.race([his.ended, Promise.resolve(open)])).toBe(open)
      for (const node of his.session.nodes) expect((await node.post(list)).status).toBe(200)
      for (const node of hers.session.nodes) expect((await node.post(list)).status).toBe(401)
    },
    { config: { auth: { apiKeys: keys } } },
  )
})
