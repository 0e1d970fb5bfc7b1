import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { eventually } from '@junctor/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createSdkClientTransport, serveSdk, type SdkServing, type SdkServingOptions } from '../src/index.ts'

/** A server with a tool that answers, and one that sends a request to its client. */
function createMcpServer(): McpServer {
  const server = new McpServer({ name: 'sample', version: '1' })
  server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }))
  server.registerTool('ask', {}, async () => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const
    const { content } = await server.server.elicitInput({ message: 'Who?', requestedSchema })
    return { content: [{ type: 'text', text: String(content?.['name']) }] }
  })
  return server
}

interface Running {
  readonly url: string
  readonly serving: SdkServing
  readonly servers: readonly McpServer[]
}

async function serve(options: Partial<SdkServingOptions> = {}): Promise<Running> {
  const { server: http = createServer() } = options
  const servers: McpServer[] = []
  const serving = serveSdk({
    server: http,
    async connect(transport) {
      const server = createMcpServer()
      servers.push(server)
      await server.connect(transport)
    },
    ...options,
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await serving.close()
    await new Promise((resolve) => http.close(resolve))
  })
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, serving, servers }
}

const me = { name: 'test', version: '1' }

describe('clients and servers of the official SDKs', () => {
  test('a client of version 1', async () => {
    const { url } = await serve()
    const client = new Client(me, { capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }))
    await client.connect(createSdkClientTransport({ url }))
    onTestFinished(() => client.close())
    expect(await client.callTool({ name: 'greet' })).toMatchObject({ content: [{ text: 'hello' }] })
    expect(await client.callTool({ name: 'ask' })).toMatchObject({ content: [{ text: 'Ada' }] })
  })

  test('a client of version 2', async () => {
    const { url } = await serve()
    const client = new ClientV2(me)
    await client.connect(createSdkClientTransport({ url }))
    onTestFinished(() => client.close())
    expect(await client.callTool({ name: 'greet' })).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('a client of version 1 over the WebSocket of the SDK', async () => {
    const { url } = await serve()
    const client = new Client(me)
    await client.connect(new WebSocketClientTransport(new URL(url)))
    onTestFinished(() => client.close())
    expect(await client.callTool({ name: 'greet' })).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('each client has its own server, which ends with it', async () => {
    const { url, servers } = await serve()
    const [one, other] = [new Client(me), new Client(me)]
    await Promise.all([one, other].map((client) => client.connect(createSdkClientTransport({ url }))))
    onTestFinished(() => other.close())
    expect(servers).toHaveLength(2)
    await one.close()
    await eventually(() => expect(servers.map((server) => server.isConnected())).toContain(false))
    await other.ping()
  })

  test('a server that is connected after its client has vanished is closed', async () => {
    const late = createMcpServer()
    const [vanished, connected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const server = createServer()
    server.on('upgrade', (_, socket) => void socket.once('close', () => vanished.resolve()))
    const { url } = await serve({
      server,
      async connect(transport) {
        await vanished.promise
        await late.connect(transport)
        connected.resolve()
      },
    })
    const client = new WebSocket(url, 'mcp')
    client.on('open', () => client.terminate())
    await connected.promise
    await eventually(() => expect(late.isConnected()).toBe(false))
  })

  test('a server that closes ends its clients', async () => {
    const { url, serving } = await serve()
    const client = new Client(me)
    await client.connect(createSdkClientTransport({ url }))
    await serving.close()
    await eventually(() => expect(client.transport).toBeUndefined())
    await expect(client.ping()).rejects.toThrow('Not connected')
  })

  test('headers are sent, and a client without the right ones is refused', async () => {
    const challenge = {
      kind: 'challenge',
      status: 401,
      situation: 'unauthenticated',
      error: { code: -32000, message: 'no' },
      headers: {},
    } as const
    const { url } = await serve({
      authenticate: (head) =>
        head.header('authorization') === 'Bearer good'
          ? { kind: 'identity', principal, tenant: { name: 'default', profile: {} as never } }
          : challenge,
    })
    const client = new Client(me)
    await expect(client.connect(createSdkClientTransport({ url }))).rejects.toThrow('HTTP 401')
    const headers = { authorization: 'Bearer good' }
    await client.connect(createSdkClientTransport({ url, headers }))
    await client.close()
    const page = createSdkClientTransport({ url, headers: { ...headers, origin: 'https://evil.example' } })
    await expect(new Client(me).connect(page)).rejects.toThrow('HTTP 403')
  })

  test('a server that cannot be connected loses its client, and no other', async () => {
    let broken = true
    const { url } = await serve({
      async connect(transport) {
        if (broken) throw new Error('no such server')
        await createMcpServer().connect(transport)
      },
    })
    await expect(new Client(me).connect(createSdkClientTransport({ url }))).rejects.toThrow('closed')
    broken = false
    const client = new Client(me)
    await client.connect(createSdkClientTransport({ url }))
    await client.close()
  })
})

const principal = { issuer: 'test', subject: 'me', key: 'test|me' }
