import { hash } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect, onTestFinished } from 'vitest'
import type { Cell } from '../src/cell.ts'
import type { GatewayUnderTest } from '../src/gateway-under-test.ts'
import { answering, demo, ofSession } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { openStatelessClient, type StatelessClientOptions } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'
import { openClient } from '../src/wire-client.ts'

const ways = { ways: ['http', 'websocket'], revisions: ['2025-11-25'] } as const

/** A gateway whose clients use another path. */
function at(gateway: GatewayUnderTest, path: string): GatewayUnderTest {
  return { ...gateway, urls: gateway.urls.map((url) => `${url}/${path}`) }
}

async function bothAt(gateway: GatewayUnderTest, cell: Cell, path: string, options: StatelessClientOptions = {}) {
  const older = await openClient(at(gateway, path), cell, options)
  const newer = await openStatelessClient(at(gateway, path), cell, options)
  onTestFinished(async () => {
    await older.close()
    await newer.close()
  })
  return [older, newer] as const
}

const files = {
  capabilities: {
    tools: {},
    resources: { subscribe: true },
    extensions: { 'com.example/x': { level: 3 }, 'com.example/y': 1 },
  },
  results: {
    'tools/list': { tools: ['read', 'received'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
    'tools/call': { read: { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] } },
    'resources/list': { resources: [{ uri: 'file:///a', name: 'a' }] },
    'resources/read': { 'file:///a': { contents: [{ uri: 'file:///a', text: 'A' }] } },
    'com.example/do': { done: true, echoes: true },
    'ui/initialize': { never: true },
  },
}

verifies('EXT-1', { ...ways, ways: ['http'] }, async (cell) => {
  const keys = ['ada', 'eve'].map((name) => [name, `key-of-${name}`] as const)
  const config = {
    tenants: { acme: { backends: ['files', 'demo'] }, other: { backends: ['demo'] } },
    auth: {
      apiKeys: Object.fromEntries(
        keys.map(([name, key]) => [
          name,
          { hash: `sha256:${hash('sha256', key, 'hex')}`, tenants: [name === 'ada' ? 'acme' : 'other'] },
        ]),
      ),
    },
  }
  const as = (name: string) => ({ headers: { authorization: `Bearer key-of-${name}` } })
  await inStateless(
    cell,
    { files: answering(files), demo: demo() },
    async ({ gateway }) => {
      for (const one of await bothAt(gateway, cell, 'acme/-/files', as('ada'))) {
        expect(namesOf(await one.request('tools/list'))).toEqual(['read', 'received'])
        const [link] = resultOf(await one.request('tools/call', { name: 'read', arguments: {} }))[
          'content'
        ] as JsonObject[]
        expect(link).toMatchObject({ uri: 'file:///a' })
        expect(resultOf(await one.request('resources/read', { uri: 'file:///a' }))).toMatchObject({
          contents: [{ uri: 'file:///a', text: 'A' }],
        })
        expect(errorOf(await one.request('tools/call', { name: 'demo__echo', arguments: {} })).code).toBe(-32_602)
      }
      for (const one of await bothAt(gateway, cell, 'other/-/demo', as('eve'))) {
        expect(namesOf(await one.request('tools/list'))).toContain('echo')
      }
      const refused = async (name: string, path: string): Promise<number> => {
        const response = await fetch(`${gateway.urls[0] ?? ''}/${path}`, {
          method: 'POST',
          headers: {
            ...as(name).headers,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
        })
        await response.text()
        return response.status
      }
      expect(await refused('eve', 'acme/-/files')).toBe(404)
      expect(await refused('eve', 'acme/-/demo')).toBe(404)
      expect(await refused('eve', 'other/-/files')).toBe(404)
      expect(await refused('ada', 'acme/-/nothing')).toBe(404)
      expect(await refused('nobody', 'acme/-/files')).toBe(401)
    },
    config,
  )
})

verifies('EXT-2', ways, async (cell) => {
  const backends = {
    files: answering(files, ofSession),
    newer: answering({ ...files, stateless: true }, ofSession),
    demo: demo(),
  }
  const capabilities = { extensions: { 'com.example/x': { wish: 1 } } }
  await inStateless(cell, backends, async ({ gateway, client, stateless }) => {
    for (const name of ['files', 'newer']) {
      for (const path of [`default/-/${name}`, `-/${name}`]) {
        for (const one of await bothAt(gateway, cell, path, { capabilities })) {
          const result = resultOf(await one.request('com.example/do', { with: [1] }))
          expect(result).toMatchObject({ done: true, echoed: { with: [1] } })
          const received = textOf(await one.request('tools/call', { name: 'received', arguments: {} }))
          expect(received).toContain('"wish":1')
          expect(errorOf(await one.request('ui/initialize')).code).toBe(-32_601)
          expect(errorOf(await one.request('com.example/nothing')).code).toBe(-32_601)
          if (!('declared' in one)) continue
          expect(resultOf(await one.request('server/discover'))).toMatchObject({
            capabilities: { extensions: { 'com.example/x': { level: 3 } } },
          })
        }
      }
    }
    const older = await client({ capabilities })
    const newer = await stateless({ capabilities })
    const declared = resultOf(await newer.request('server/discover'))['capabilities']
    expect(JSON.stringify(declared)).not.toContain('com.example')
    for (const one of [older, newer]) {
      expect(errorOf(await one.request('com.example/do')).code).toBe(-32_601)
      const received = textOf(await one.request('tools/call', { name: 'files__received', arguments: {} }))
      expect(received).not.toContain('com.example')
    }
  })
})

verifies('EXT-2', ways, async (cell) => {
  const tools = ['ask', 'received'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const results = { 'tools/list': { tools } }
  await inStateless(cell, { files: answering({ ...files, results }, ofSession) }, async ({ gateway }) => {
    for (const path of ['-/files', '']) {
      const prefix = path === '' ? 'files__' : ''
      const answers = { 'com.example/ask': (params: JsonObject) => ({ answered: params }) }
      const place = path === '' ? gateway : at(gateway, path)
      const one = await openClient(place, cell, { answers })
      onTestFinished(() => one.close())
      const call = async (name: string) =>
        textOf(await one.request('tools/call', { name: `${prefix}${name}`, arguments: {} }))
      await one.notify('notifications/com.example/note', { with: [1] })
      await one.notify('ui/note', { with: [2] })
      const asked = await call('ask')
      const received = await call('received')
      expect(received).not.toContain('"with":[2]')
      if (path === '') {
        expect(asked).toContain('-32601')
        expect(received).not.toContain('"with":[1]')
      } else {
        expect(asked).toContain('"result":{"answered":{"for":"x"}}')
        expect(received).toContain('{"jsonrpc":"2.0","method":"notifications/com.example/note","params":{"with":[1]}}')
      }
    }
  })
})

const events = { 'com.example/events': ['a', 'b'] }

verifies('EXT-3', ways, async (cell) => {
  const server = {
    ...files,
    stateless: true,
    capabilities: { tools: { listChanged: true } },
    listens: ['com.example/events', 'toolsListChanged'],
    results: {
      'tools/list': {
        tools: ['announce', 'received', 'end'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      },
    },
  }
  // One process for all clients, so that a message of one could reach another.
  const backends = { newer: answering(server), older: answering(files), demo: demo() }
  await inStateless(cell, backends, async ({ gateway, stateless }) => {
    const open = async (path: string, notifications: JsonObject, id: string) => {
      const client = await openStatelessClient(at(gateway, path), cell)
      onTestFinished(() => client.close())
      await client.send('subscriptions/listen', client.declared({ notifications }), id)
      const messagesOf = (method: string) => client.wire.received.filter(({ message }) => message['method'] === method)
      await expect.poll(() => messagesOf('notifications/subscriptions/acknowledged')).toHaveLength(1)
      const [first] = messagesOf('notifications/subscriptions/acknowledged')
      const { notifications: honoured, _meta } = (first?.message['params'] ?? {}) as JsonObject
      expect(_meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': id })
      return {
        client,
        honoured,
        messagesOf: () => messagesOf('notifications/com.example/event').map(({ message: got }) => got),
      }
    }
    const wanted = { ...events, 'com.example/other': true, toolsListChanged: true }
    const one = await open('-/newer', wanted, 'mine')
    expect(one.honoured).toEqual({ ...events, toolsListChanged: true })
    const bystander = await open('-/newer', { toolsListChanged: true }, 'bystander')
    expect(bystander.honoured).toEqual({ toolsListChanged: true })
    const third = await open('-/newer', { ...events }, 'third')
    // Nothing is listened for where no backend understands it, or where several might.
    expect((await open('-/older', wanted, 'x')).honoured).toEqual({ toolsListChanged: true })
    const merged = await stateless()
    await merged.send('subscriptions/listen', merged.declared({ notifications: wanted }), 'merged')
    const acknowledged = await merged.wire.until(({ message }) => message['method'] !== undefined)
    expect(acknowledged.message['params']).toMatchObject({ notifications: { toolsListChanged: true } })
    expect(JSON.stringify(acknowledged.message)).not.toContain('com.example')

    const announce = async (tool = 'announce') => {
      // Each node has a process of its own.
      for (const _ of gateway.urls) await bystander.client.request('tools/call', { name: tool, arguments: {} })
    }
    await announce()
    await expect
      .poll(() => [one.messagesOf(), third.messagesOf()])
      .toEqual([
        [{ jsonrpc: '2.0', method: 'notifications/com.example/event', params: eventOf('mine') }],
        [{ jsonrpc: '2.0', method: 'notifications/com.example/event', params: eventOf('third') }],
      ])
    await third.client.close()
    const cancelled = async () =>
      textOf(await bystander.client.request('tools/call', { name: 'received', arguments: {} })).includes('cancelled')
    await expect.poll(cancelled).toBe(true)
    // The process of the backend ends; the subscription is opened again at the next.
    await announce('end')
    await expect
      .poll(
        async () => {
          await announce()
          return one.messagesOf().length
        },
        { timeout: 15_000, interval: 200 },
      )
      .toBeGreaterThan(1)
    expect(bystander.messagesOf()).toEqual([])
    expect(JSON.stringify(merged.wire.received)).not.toContain('com.example')
  })
})

function eventOf(subscription: string): JsonObject {
  return { topic: 'a', _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } }
}

verifies('EXT-4', ways, async (cell) => {
  const other = {
    ...files,
    capabilities: { tools: {}, extensions: { 'com.example/x': { level: 4 }, 'com.example/z': {} } },
  }
  const backends = {
    files: answering(files, ofSession),
    other: answering(other, ofSession),
    newer: answering({ ...other, stateless: true }, ofSession),
  }
  const capabilities = { extensions: { 'com.example/x': { wish: 1 }, 'com.example/y': { wish: 2 } } }
  await inStateless(
    cell,
    backends,
    async ({ client, stateless }) => {
      const older = await client({ capabilities })
      const newer = await stateless({ capabilities })
      const declared = resultOf(await newer.request('server/discover'))['capabilities'] as JsonObject
      const extensions = declared['extensions'] as JsonObject
      expect(extensions['com.example/x']).toEqual({})
      expect(extensions['com.example/z']).toEqual({})
      expect(extensions['com.example/y']).toBeUndefined()
      for (const one of [older, newer]) {
        for (const backend of ['files', 'newer']) {
          const received = textOf(await one.request('tools/call', { name: `${backend}__received`, arguments: {} }))
          expect(received).toContain('"com.example/x":{"wish":1}')
          expect(received).not.toContain('com.example/y')
        }
        expect(errorOf(await one.request('com.example/do')).code).toBe(-32_601)
      }
    },
    { relayExtensions: ['com.example/x', 'com.example/z'] },
  )
})
