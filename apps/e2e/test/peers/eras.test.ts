import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebStandardStreamableHTTPServerTransport as V1ServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { compiledOnce, eventually, programFile } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createGrowingServer, serveStateless } from '../../fixtures/stateless-server.ts'
import { createV1Server } from '../../fixtures/v1-server.ts'
import { type GatewayUnderTest, startGateway } from '../../src/gateway-under-test.ts'
import { hostSessions } from '../../src/peers/host-sessions.ts'

// Official clients of both eras, in front of official servers of both eras: every pair that the specification's own matrix
// lists, and the two that it says must fail.

/** What the clients of both SDKs have in common. */
interface EraClient {
  readonly version: string | undefined
  readonly client: V1Client | V2Client
  /** The data of the log messages that it got. */
  readonly logged: readonly unknown[]
  /** The received changes: `tools` for the list, the URI of a resource. */
  readonly changes: readonly string[]
}

type Capabilities = Partial<Record<'elicitation' | 'sampling' | 'roots', Record<string, never>>>
type Open = (url: string, capabilities: Capabilities) => Promise<EraClient>

const everything: Capabilities = { elicitation: {}, sampling: {}, roots: {} }
const sampled = { role: 'assistant' as const, content: { type: 'text' as const, text: 'sampled' }, model: 'm' }
const roots = { roots: [{ uri: 'file:///root' }] }
const accept = (message: string) => ({ action: 'accept' as const, content: { answer: `to ${message}` } })

async function openV1(url: string, capabilities: Capabilities): Promise<EraClient> {
  const client = new V1Client({ name: 'v1', version: '1' }, { capabilities })
  if (capabilities === everything) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => accept(params.message))
    client.setRequestHandler(CreateMessageRequestSchema, () => sampled)
    client.setRequestHandler(ListRootsRequestSchema, () => roots)
  }
  const logged: unknown[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.data))
  const changes: string[] = []
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes.push('tools'))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void changes.push(params.uri))
  const transport = new V1Transport(new URL(url))
  await client.connect(transport)
  return { client, version: transport.protocolVersion, logged, changes }
}

const openV2 =
  (mode: 'legacy' | 'auto' | { readonly pin: string }): Open =>
  async (url, capabilities) => {
    const client = new V2Client({ name: 'v2', version: '2' }, { capabilities, versionNegotiation: { mode } })
    if (capabilities === everything) {
      client.setRequestHandler('elicitation/create', ({ params }) => accept(params.message))
      client.setRequestHandler('sampling/createMessage', () => sampled)
      client.setRequestHandler('roots/list', () => roots)
    }
    const logged: unknown[] = []
    client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.data))
    const changes: string[] = []
    client.setNotificationHandler('notifications/tools/list_changed', () => void changes.push('tools'))
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changes.push(params.uri))
    await client.connect(new V2Transport(new URL(url)))
    return { client, version: client.getNegotiatedProtocolVersion(), logged, changes }
  }

const clients: readonly (readonly [name: string, open: Open, version: string])[] = [
  ['SDK v1', openV1, '2025-11-25'],
  ['SDK v2 with a handshake', openV2('legacy'), '2025-11-25'],
  ['SDK v2 pinned to 2026-07-28', openV2({ pin: '2026-07-28' }), '2026-07-28'],
  ['SDK v2 that chooses', openV2('auto'), '2026-07-28'],
]

const program = (file: string, ...args: string[]): object => ({
  command: process.execPath,
  args: [programFile(new URL(`../../fixtures/${file}`, import.meta.url)), ...args],
  env: compiledOnce,
})

const backends = ['v1-http', 'v1-stdio', 'v2-http', 'v2-stdio', 'modern-http', 'modern-stdio'] as const

let gateway: GatewayUnderTest
const closing: (() => Promise<unknown>)[] = []
const scratch = mkdtempSync(join(tmpdir(), 'junctor-eras-'))

beforeAll(async () => {
  const v1 = await hostSessions(async (events) => {
    const transport = new V1ServerTransport({ sessionIdGenerator: () => randomUUID(), ...events })
    await createV1Server().connect(transport)
    return transport
  })
  const v2 = await hostSessions(async (events) => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      ...events,
    })
    await createGrowingServer().connect(transport)
    return transport
  })
  const modern = await serveStateless()
  gateway = await startGateway({
    nodes: 2,
    config: {
      limits: { startWait: '30s' },
      backends: {
        'v1-http': { url: v1.url },
        'v1-stdio': program('v1-server.ts', '--stdio'),
        'v2-http': { url: v2.url },
        'v2-stdio': { ...program('stateless-server.ts', '--stdio', '--both'), era: 'handshake' },
        'modern-http': { url: modern.url },
        'modern-stdio': program('stateless-server.ts', '--stdio'),
      },
    },
  })
  closing.push(
    () => gateway.close(),
    () => v1.close(),
    () => v2.close(),
    () => modern.close(),
  )
}, 60_000)

afterAll(async () => {
  for (const close of closing) await close()
  rmSync(scratch, { recursive: true })
})

describe.each(clients)('%s', (_, open, version) => {
  const opened = async (capabilities = everything): Promise<EraClient> => {
    const one = await open(gateway.urls[0] as string, capabilities)
    onTestFinished(() => one.client.close())
    return one
  }

  test(`speaks ${version}`, async () => {
    const one = await opened()
    expect(one.version).toBe(version)
    expect(one.client.getServerVersion()).toMatchObject({ name: 'junctor' })
  })

  describe.each(backends)('with the server %s', (backend) => {
    test('lists, calls, reads, gets prompts, and sees progress and failures', async () => {
      const { client } = await opened()
      const tools = await eventually(async () => {
        const names = (await client.listTools()).tools.map(({ name }) => name)
        expect(names).toContain(`${backend}__echo`)
        return names
      }, 30_000)
      expect(tools).toEqual(expect.arrayContaining([`${backend}__steps`, `${backend}__confirm`]))
      const texts = async (name: string, input: Record<string, unknown> = {}) =>
        client.callTool({ name: `${backend}__${name}`, arguments: input })
      expect(await texts('echo', { text: 'Grüße' })).toMatchObject({ content: [{ type: 'text', text: 'Grüße' }] })
      expect(await texts('fail')).toMatchObject({ content: [{ text: 'failed' }], isError: true })
      await expect(texts('unheard-of')).rejects.toThrow(/unheard-of/)

      const { contents } = await client.readResource({ uri: `${backend}+memo://a` })
      expect(contents).toMatchObject([{ uri: `${backend}+memo://a`, text: 'contents' }])
      const { messages } = await client.getPrompt({ name: `${backend}__greet`, arguments: { name: 'Ada' } })
      expect(messages).toMatchObject([{ content: { text: 'Hello Ada' } }])
      await expect(client.readResource({ uri: 'nobody+memo://a' })).rejects.toMatchObject({
        // Version 2 of the SDK shows its users the newer code, whatever comes.
        code: client instanceof V1Client ? -32_002 : -32_602,
      })
    })

    test('is asked, and sees progress', async () => {
      const { client } = await opened()
      await client.listTools()
      const asked = await client.callTool({ name: `${backend}__confirm`, arguments: { text: 'sure?' } })
      expect(JSON.stringify(asked['content'])).toContain(`to [${backend}] sure?`)
      const progress: number[] = []
      const steps = { name: `${backend}__steps`, arguments: {} }
      const options = { onprogress: ({ progress: done }: { progress: number }) => void progress.push(done) }
      if (client instanceof V1Client) await client.callTool(steps, undefined, options)
      else await client.callTool(steps, options)
      expect(progress).toEqual([1, 2])
    })

    test('is asked for all at once, gets structured content, and completes arguments', async () => {
      const { client } = await opened()
      await client.listTools()
      const asked = await client.callTool({ name: `${backend}__all`, arguments: {} })
      const answers = JSON.stringify(asked['content'])
      for (const part of [`to [${backend}] all`, 'sampled', 'file:///root']) expect(answers).toContain(part)
      const listed = await client.callTool({ name: `${backend}__list`, arguments: {} })
      expect(listed).toMatchObject({ structuredContent: { items: [1, 2] } })
      const argument = { name: 'name', value: 'A' }
      const ref = { type: 'ref/prompt' as const, name: `${backend}__greet` }
      expect((await client.complete({ ref, argument })).completion.values).toEqual(['Ada', 'Alan'])
    })

    test('gets the log messages that it asked for', async () => {
      const { client, version: spoken, logged } = await opened()
      await client.listTools()
      const isStateless = spoken === '2026-07-28'
      if (!isStateless) await client.setLoggingLevel('error')
      const _meta = isStateless ? { _meta: { 'io.modelcontextprotocol/logLevel': 'error' as const } } : {}
      const text = randomUUID()
      await client.callTool({ name: `${backend}__log`, arguments: { text }, ..._meta })
      await eventually(() => expect(logged).toEqual([`error of ${text}`]))
    })

    test('hears of changes of a list and of a resource', async () => {
      // Nothing can be asked of it: so all its requests reach one process of a server over stdio, which has the changes.
      const { client, version: spoken, changes } = await opened({})
      await client.listTools()
      const uri = `${backend}+memo://a`
      if (spoken === '2026-07-28' && client instanceof V2Client) {
        const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] }
        const listening = await client.listen(notifications)
        onTestFinished(() => listening.close())
      } else {
        await client.subscribeResource({ uri })
      }
      await client.callTool({ name: `${backend}__grow`, arguments: {} })
      await eventually(() => expect([...new Set(changes)].toSorted()).toEqual(['tools', uri].toSorted()))
      const names = async () => (await client.listTools()).tools.map(({ name }) => name)
      await eventually(async () => expect(await names()).toContainEqual(expect.stringContaining(`${backend}__grown`)))
    })

    test('cancels a call', async () => {
      const { client } = await opened()
      await client.listTools()
      const file = join(scratch, randomUUID())
      const cancelling = new AbortController()
      const wait = { name: `${backend}__wait`, arguments: { file } }
      const options = { signal: cancelling.signal }
      const waiting =
        client instanceof V1Client ? client.callTool(wait, undefined, options) : client.callTool(wait, options)
      // The versions of the SDK reject with errors of different kinds.
      const ended = waiting.then(
        () => 'an answer',
        () => 'no answer',
      )
      const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n')
      await eventually(() => expect(lines()).toEqual(['waiting']))
      cancelling.abort(new Error('no longer needed'))
      expect(await ended).toBe('no answer')
      await eventually(() => expect(lines()).toEqual(['waiting', 'cancelled']))
    })
  })
})
