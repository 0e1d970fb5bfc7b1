import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished } from 'vitest'
import { serveStateless } from '../fixtures/stateless-server.ts'
import type { Cell } from '../src/cell.ts'
import { answering, demo, statelessChild } from '../src/in-gateway.ts'
import { inStateless, type StatelessScene } from '../src/in-stateless.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { answersTo, askingResult } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

const everywhere = { revisions: ['2025-11-25'] } as const
const prefix = 'io.modelcontextprotocol/'
const backends = ['http', 'stdio'] as const

const call = (name: string, args: JsonObject = {}): JsonObject => ({ name, arguments: args })

/** Runs a gateway in front of the same server twice: over HTTP, and as a child process. */
async function beforeServers(cell: Cell, body: (scene: StatelessScene) => Promise<void>): Promise<void> {
  const server = await serveStateless()
  try {
    await inStateless(cell, { http: { url: server.url }, stdio: statelessChild() }, body)
  } finally {
    await server.close()
  }
}

const answers = {
  'elicitation/create': ({ message }: JsonObject) => ({
    action: 'accept',
    content: { answer: `to ${message as string}` },
  }),
  'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' }),
  'roots/list': () => ({ roots: [{ uri: 'file:///root' }] }),
}
const able = { elicitation: {}, sampling: {}, roots: {} }

verifies('ERA-13', everywhere, async (cell) => {
  await beforeServers(cell, async ({ client, stateless }) => {
    const older = await client()
    const newer = await stateless({ meta: { [`${prefix}logLevel`]: 'warning' } })
    for (const one of [older, newer]) {
      const wire = 'wire' in one ? one.wire : one
      for (const backend of backends) {
        const run = (name: string, args: JsonObject = {}) =>
          one.request('tools/call', call(`${backend}__${name}`, args))
        expect(textOf(await run('echo', { text: 'Grüße' }))).toBe('Grüße')
        expect(resultOf(await run('list'))).toMatchObject({ structuredContent: { items: [1, 2] } })
        // A client of 2026-07-28 over HTTP would have to repeat this argument in a header.
        if (one === older) expect(textOf(await run('sql', { region: 'Zürich' }))).toBe('in Zürich')
        const read = resultOf(await one.request('resources/read', { uri: `${backend}+memo://a` }))
        expect(read['contents']).toMatchObject([{ uri: `${backend}+memo://a`, text: 'contents' }])

        const _meta = { progressToken: `p ${backend}` }
        const params = { ...call(`${backend}__steps`), _meta }
        await one.request('tools/call', 'declared' in one ? one.declared(params, _meta) : params)
        const updates = wire.received
          .map(({ message: { params: shown } }) => shown as JsonObject | undefined)
          .filter((shown) => shown?.['progressToken'] === `p ${backend}`)
        expect(updates.map((shown) => shown?.['progress'])).toEqual([1, 2])

        await run('log', { text: backend })
        const logged = (text: string) =>
          wire.received.filter(({ message: { params: shown } }) => (shown as JsonObject | undefined)?.['data'] === text)
        await expect.poll(() => logged(`error of ${backend}`)).toHaveLength(1)
        expect(logged(`debug of ${backend}`)).toEqual([])
      }
    }
    // What older revisions do not have is not shown to their clients.
    const result = resultOf(await older.request('tools/call', call('http__echo', { text: 'x' })))
    expect(Object.keys(result)).toEqual(['content'])
    const listed = resultOf(await older.request('resources/read', { uri: 'http+memo://a' }))
    expect(Object.keys(listed)).toEqual(['contents'])
  })
})

verifies('ERA-14', everywhere, async (cell) => {
  await beforeServers(cell, async ({ client, stateless }) => {
    const older = await client({ capabilities: able, answers })
    const newer = await stateless({ capabilities: able })
    for (const backend of backends) {
      const asked = (message: string) => ({ answer: `to [${backend}] ${message}` })
      for (const run of [
        (name: string, args: JsonObject) => older.request('tools/call', call(`${backend}__${name}`, args)),
        (name: string, args: JsonObject) => newer.complete('tools/call', call(`${backend}__${name}`, args), answers),
      ]) {
        const confirmed = JSON.parse(textOf(await run('confirm', { text: 'sure?' }))) as unknown
        expect(confirmed).toEqual({ action: 'accept', content: asked('sure?') })
        const rounds = textOf(await run('rounds', { count: 3 })).split(';')
        expect(rounds).toEqual([...[1, 2, 3].map((round) => asked(`round ${round}`).answer), ''])
        expect(JSON.parse(textOf(await run('all', {})))).toMatchObject([
          { content: asked('all') },
          { content: { text: 'sampled' } },
          { roots: [{ uri: 'file:///root' }] },
        ])
      }
    }
    // A client that cannot be asked is not.
    const silent = await client()
    expect(await silent.request('tools/call', call('http__confirm', { text: 'x' }))).toHaveProperty('error')
    expect(silent.messagesOf('elicitation/create')).toEqual([])
  })
})

verifies('ERA-14', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const results = {
    'tools/list': {
      tools: ['odd', 'neither', 'both'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      ttlMs: 0,
      cacheScope: 'private',
    },
    'tools/call': {
      odd: { resultType: 'input_required', inputRequests: { a: 5 } },
      neither: { resultType: 'input_required' },
      both: {
        resultType: 'input_required',
        inputRequests: {
          form: {
            method: 'elicitation/create',
            params: { message: 'x', requestedSchema: { type: 'object', properties: {} } },
          },
          roots: { method: 'roots/list' },
        },
      },
    },
  }
  const odd = answering({ stateless: true, capabilities: { tools: {} }, results })
  await inStateless(cell, { odd }, async ({ client, stateless }) => {
    for (const one of [await client({ capabilities: able }), await stateless({ capabilities: able })]) {
      expect(errorOf(await one.request('tools/call', call('odd__odd')))).toMatchObject({
        message: 'Expected inputRequests["a"] to be a request with "method", got 5',
      })
      expect(errorOf(await one.request('tools/call', call('odd__neither'))).data).toMatchObject({
        reason: 'tool_failed',
      })
    }
    // A client that has no roots need not answer the form first.
    const older = await client({ capabilities: { elicitation: {} } })
    expect(errorOf(await older.request('tools/call', call('odd__both'))).data).toMatchObject({
      reason: 'ask_not_supported',
    })
    await expect.poll(() => older.messagesOf('notifications/cancelled')).toHaveLength(1)
  })
})

verifies('ERA-24', everywhere, async (cell) => {
  const folder = mkdtempSync(join(tmpdir(), 'busy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await beforeServers(cell, async ({ client }) => {
    const older = await client()
    for (const backend of backends) {
      const busy = (rounds: number, name: string) =>
        call(`${backend}__busy`, { rounds, file: join(folder, `${backend} ${name}`) })
      const callsOf = (name: string) => readFileSync(join(folder, `${backend} ${name}`), 'utf8').split('\n').length - 1
      // Its client cancels it between two rounds.
      const id = `cancelled ${backend}`
      await older.send({ jsonrpc: '2.0', id, method: 'tools/call', params: busy(30, 'cancelled') })
      await expect.poll(() => callsOf('cancelled')).toBeGreaterThan(1)
      await older.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
      const before = callsOf('cancelled')
      const times = textOf(await older.request('tools/call', busy(4, 'finished')))
        .split(' ')
        .map(Number)
      const pauses = times.slice(1).map((time, index) => time - (times[index] as number))
      expect(callsOf('finished')).toBe(5)
      for (const [index, least] of [100, 200, 400, 800].entries()) {
        // The clock of the server may be read a little before the timer of the gateway.
        expect(pauses[index]).toBeGreaterThanOrEqual(least - 5)
      }
      // In the time of four pauses, the cancelled call would have had three more rounds.
      expect(callsOf('cancelled') - before).toBeLessThan(2)
    }
  })
})

verifies('ERA-15', everywhere, async (cell) => {
  await beforeServers(cell, async ({ gateway, client, stateless }) => {
    const older = await client()
    const newer = await stateless()
    for (const one of [older, newer]) await one.request('tools/list')
    const uris = backends.map((backend) => `${backend}+memo://a`)
    for (const uri of uris) await older.request('resources/subscribe', { uri })
    const notifications = { toolsListChanged: true, resourceSubscriptions: uris }
    await newer.send('subscriptions/listen', newer.declared({ notifications }), 'listening')
    const messagesOf = (one: typeof older | typeof newer, method: string, uri?: string) =>
      ('wire' in one ? one.wire : one).received
        .map(({ message }) => message)
        .filter((message) => message['method'] === method)
        .filter(({ params }) => uri === undefined || (params as JsonObject)['uri'] === uri)
    await expect.poll(() => messagesOf(newer, 'notifications/subscriptions/acknowledged')).toHaveLength(1)
    // At every node: over stdio each has a child of its own.
    for (let node = 0; node < gateway.urls.length; node += 1) await newer.request('tools/call', call('http__grow'))
    for (const one of [older, newer]) {
      await expect.poll(() => messagesOf(one, 'notifications/tools/list_changed').length).toBeGreaterThan(0)
      await expect
        .poll(() => messagesOf(one, 'notifications/resources/updated', 'http+memo://a').length)
        .toBeGreaterThan(0)
      await expect.poll(async () => namesOf(await one.request('tools/list'))).toContain('http__grown1')
    }
    await older.request('resources/unsubscribe', { uri: 'http+memo://a' })
    const before = messagesOf(older, 'notifications/resources/updated').length
    const seen = messagesOf(newer, 'notifications/resources/updated').length
    await newer.request('tools/call', call('http__grow'))
    await expect.poll(() => messagesOf(newer, 'notifications/resources/updated').length).toBeGreaterThan(seen)
    expect(messagesOf(older, 'notifications/resources/updated')).toHaveLength(before)
  })
})

verifies('ERA-16', { ways: ['stdio', 'websocket'], revisions: ['2025-11-25'] }, async (cell) => {
  await beforeServers(cell, async ({ client, stateless }) => {
    const older = await client()
    const newer = await stateless()
    for (const backend of backends) {
      for (const one of [older, newer]) {
        const wire = 'wire' in one ? one.wire : one
        const count = async (tool: string) =>
          Number(textOf(await one.request('tools/call', call(`${backend}__${tool}`))))
        const before = await count('cancelled')
        const running = await count('hanging')
        const id = `${backend} ${before}`
        const params = call(`${backend}__hang`)
        const declared = 'declared' in one ? one.declared(params) : params
        await wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: declared })
        await expect.poll(() => count('hanging')).toBeGreaterThan(running)
        await wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
        // Over stdio a session has a child of its own, and requests without one share theirs.
        await expect.poll(() => count('cancelled')).toBeGreaterThan(before)
        expect(wire.received.filter(({ message }) => message['id'] === id)).toEqual([])
      }
    }
  })
})

verifies('ERA-21', { ways: ['websocket'], revisions: ['2025-11-25'] }, async (cell) => {
  await inStateless(cell, { stdio: statelessChild() }, async ({ stateless }) => {
    const one = await stateless({ capabilities: able })
    const calls = ['a', 'b', 'c']
    const params = one.declared(call('stdio__hang'))
    for (const id of calls) await one.wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
    const count = async (client: typeof one, tool: string) =>
      Number(textOf(await client.request('tools/call', call(`stdio__${tool}`))))
    await expect.poll(() => count(one, 'hanging')).toBe(3)
    // Its log messages do not name the request that they are for.
    const logged = await stateless({ capabilities: able, meta: { [`${prefix}logLevel`]: 'debug' } })
    expect(await count(logged, 'hanging')).toBe(0)
    for (const id of calls) {
      await one.wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    }
    await expect.poll(() => count(one, 'cancelled')).toBe(3)
  })
})

verifies('ERA-17', { ways: ['http'], revisions: ['2024-11-05'] }, async (cell) => {
  await beforeServers(cell, async ({ gateway }) => {
    const client = new Client({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } })
    onTestFinished(() => client.close())
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: 'accept',
      content: { answer: `to ${params.message}` },
    }))
    const url = new URL((gateway.urls[0] as string).replace(/\/mcp$/, '/sse'))
    await client.connect(new SSEClientTransport(url))
    for (const backend of backends) {
      const { content } = await client.callTool({ name: `${backend}__confirm`, arguments: { text: 'sure?' } })
      expect(JSON.stringify(content)).toContain(`to [${backend}] sure?`)
    }
  })
})

verifies('ERA-19', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const listing = (ttlMs: number, cacheScope: string): JsonObject => ({
    stateless: true,
    capabilities: { tools: {}, resources: {} },
    results: {
      'tools/list': { tools: [{ name: 'one', inputSchema: { type: 'object' } }], ttlMs, cacheScope },
      'resources/read': { 'file:///a': { contents: [{ uri: 'file:///a', text: 'A' }], ttlMs, cacheScope } },
    },
  })
  const hints = async (offered: Readonly<Record<string, object>>, config: object, capabilities: JsonObject = {}) => {
    const found: unknown[] = []
    await inStateless(
      cell,
      offered,
      async ({ client, stateless }) => {
        const one = await stateless({ capabilities })
        const { ttlMs, cacheScope } = resultOf(await one.request('tools/list'))
        found.push(Number(ttlMs) > 0, Number(ttlMs) <= 60_000, cacheScope)
        const older = await client()
        expect(Object.keys(resultOf(await older.request('tools/list')))).toEqual(['tools'])
        const read = resultOf(await one.request('resources/read', { uri: 'a+file:///a' }))
        expect(read).toMatchObject({ ttlMs: 90_000, cacheScope: 'public' })
      },
      config,
    )
    return found
  }
  const a = answering(listing(90_000, 'public'))
  const b = answering(listing(60_000, 'public'))
  const mine = answering(listing(60_000, 'private'))
  expect(await hints({ a, b }, {})).toEqual([true, true, 'public'])
  expect(await hints({ a, mine }, {})).toEqual([true, true, 'private'])
  expect(await hints({ a, b }, { tenants: { default: { backends: ['a', 'b'], tools: { deny: ['b:one'] } } } })).toEqual(
    [true, true, 'private'],
  )
  const showing = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
  expect(await hints({ a, b }, {}, showing)).toEqual([true, true, 'private'])
  // A backend of an older revision says nothing.
  expect(await hints({ a, demo: demo() }, {})).toEqual([false, true, 'private'])
})

verifies('ERA-20', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const server = await serveStateless()
  const keyOf = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}` })
  const config = {
    auth: { apiKeys: { ada: keyOf('key-of-ada'), eve: keyOf('key-of-eve') } },
    listen: { admin: { port: 0 } },
  }
  const as = (name: string) => ({ capabilities: able, headers: { authorization: `Bearer key-of-${name}` } })
  try {
    await inStateless(
      cell,
      { http: { url: server.url } },
      async ({ stateless, gateway }) => {
        const one = await stateless(as('ada'))
        const confirm = call('http__confirm', { text: 'sure?' })
        const asked = askingResult(await one.request('tools/call', confirm))
        const state = asked['requestState'] as string
        // The backend's own state is not readable, and nothing waits for its client.
        expect(Buffer.from(state.slice(1), 'base64url').toString('latin1')).not.toContain('state of')
        for (const url of gateway.admins) {
          expect(await (await fetch(`${url}/metrics`)).text()).toContain('mcp_requests_waiting 0')
        }
        const inputResponses = answersTo(asked, answers)
        const changed = `${state.slice(0, -2)}${state.at(-2) === 'A' ? 'B' : 'A'}${state.at(-1) ?? ''}`
        for (const wrong of [
          { ...confirm, inputResponses, requestState: changed },
          { ...confirm, inputResponses, requestState: '~' },
          { ...confirm, inputResponses, requestState: '~nonsense' },
          { ...call('http__confirm', { text: 'other' }), inputResponses, requestState: state },
          { ...call('http__echo', { text: 'sure?' }), inputResponses, requestState: state },
        ]) {
          expect(errorOf(await one.request('tools/call', wrong)).code).toBe(-32_602)
        }
        const eve = await stateless(as('eve'))
        const stolen = await eve.request('tools/call', { ...confirm, inputResponses, requestState: state })
        expect(errorOf(stolen).code).toBe(-32_602)
        // Any node continues it.
        for (let node = 0; node < gateway.urls.length; node += 1) {
          const done = await one.request('tools/call', { ...confirm, inputResponses, requestState: state })
          expect(textOf(done)).toContain('to [http] sure?')
        }
        const refused = await (await stateless({ ...as('ada'), capabilities: {} })).request('tools/call', confirm)
        expect(errorOf(refused)).toMatchObject({ code: -32_021, data: { requiredCapabilities: { elicitation: {} } } })
      },
      config,
    )
  } finally {
    await server.close()
  }
})
