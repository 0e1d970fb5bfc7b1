import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { asking, demo, lean } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { callUntil, mirrors } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

const revisions = ['2026-07-28'] as const
const everywhere = { revisions } as const
const overHttp = { ways: ['http'], revisions } as const
const prefix = 'io.modelcontextprotocol/'

const call = (name: string, args: JsonObject = {}): JsonObject => ({ name, arguments: args })

verifies('ERA-1', everywhere, async (cell) => {
  await inStateless(cell, { demo: demo() }, async ({ stateless }) => {
    const one = await stateless()
    const result = resultOf(await one.request('server/discover'))
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
      ttlMs: expect.any(Number),
      cacheScope: expect.stringMatching(/^(public|private)$/),
      _meta: { [`${prefix}serverInfo`]: { name: 'junctor', version: expect.any(String) } },
    })
    expect(result['capabilities']).not.toHaveProperty('tasks')
    expect(result).not.toHaveProperty('serverInfo')
    expect(result).not.toHaveProperty('protocolVersion')
  })
})

verifies('ERA-2', everywhere, async (cell) => {
  await inStateless(cell, { demo: demo() }, async ({ stateless }) => {
    const one = await stateless()
    const wrong: readonly (readonly [string, JsonObject])[] = [
      ['meta_missing', { [`${prefix}protocolVersion`]: null }],
      ['meta_missing', { [`${prefix}clientCapabilities`]: null }],
      ['meta_invalid', { [`${prefix}clientCapabilities`]: 1 }],
      ['meta_invalid', { [`${prefix}logLevel`]: 'loud' }],
    ]
    for (const [reason, meta] of wrong) {
      const { code, data } = errorOf(await one.request('tools/list', one.declared({}, meta)))
      expect([meta, code, data, one.status() ?? 400]).toMatchObject([meta, -32_602, { reason }, 400])
    }
    // The client need not describe itself.
    expect(namesOf(await one.request('tools/list', one.declared({}, { [`${prefix}clientInfo`]: null })))).toContain(
      'demo__echo',
    )
    if (one.http === undefined) {
      const response = await one.request('tools/list', one.declared({}, { [`${prefix}protocolVersion`]: 'v999' }))
      expect(errorOf(response)).toMatchObject({
        code: -32_022,
        data: { requested: 'v999', supported: expect.arrayContaining(['2026-07-28', '2025-11-25']) },
      })
      return
    }
    const params = one.declared({}, { [`${prefix}protocolVersion`]: 'v999' })
    const headers = { ...mirrors('tools/list', params), 'mcp-protocol-version': 'v999' }
    const { status } = await one.http.post({ jsonrpc: '2.0', id: 'odd', method: 'tools/list', params }, headers)
    const { message } = await one.http.until(({ message: { id } }) => id === 'odd')
    expect([status, errorOf(message)]).toMatchObject([400, { code: -32_022, data: { requested: 'v999' } }])
  })
})

verifies('ERA-3', overHttp, async (cell) => {
  const region = { type: 'string', 'x-mcp-header': 'Region' }
  const tools = [{ name: 'sql', description: 'Asks', inputSchema: { type: 'object', properties: { region } } }]
  await inStateless(cell, { demo: demo(), lean: lean({ tools }) }, async ({ stateless }) => {
    const one = await stateless()
    const { http } = one
    if (http === undefined) throw new Error('expected HTTP')
    const post = async (params: JsonObject, headers: Readonly<Record<string, string>>) => {
      const id = `h${http.received.length}`
      const { status } = await http.post({ jsonrpc: '2.0', id, method: 'tools/call', params }, headers)
      const { message } = await http.until((received) => received.message['id'] === id)
      return [status, (message['error'] as { code?: number } | undefined)?.code]
    }
    const params = one.declared(call('demo__echo', { message: 'x' }))
    const right = mirrors('tools/call', params)
    const without = (name: string) => Object.fromEntries(Object.entries(right).filter(([key]) => key !== name))
    const encoded = `=?base64?${Buffer.from('demo__echo').toString('base64')}?=`
    expect(await post(params, right)).toEqual([200, undefined])
    expect(await post(params, { ...right, 'mcp-name': encoded })).toEqual([200, undefined])
    expect(await post(params, { ...right, 'mcp-session-id': 'of nobody' })).toEqual([200, undefined])
    for (const headers of [
      { ...right, 'mcp-name': 'demo__add' },
      { ...right, 'mcp-name': encoded.replace('=?=', '?=') },
      { ...right, 'mcp-method': 'tools/list' },
      { ...right, 'mcp-method': 'TOOLS/CALL' },
      { ...right, 'mcp-protocol-version': '2025-11-25' },
      without('mcp-name'),
      without('mcp-method'),
      without('mcp-protocol-version'),
    ]) {
      expect([headers, ...(await post(params, headers))]).toEqual([headers, 400, -32_020])
    }

    const asked = one.declared(call('lean__sql', { region: 'Zürich' }))
    const plain = mirrors('tools/call', asked)
    const mirrored = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`
    for (const value of [undefined, 'Zuerich', mirrored.replace('=?=', '?=')]) {
      const headers = value === undefined ? plain : { ...plain, 'mcp-param-region': value }
      expect([value, ...(await post(asked, headers))]).toEqual([value, 400, -32_020])
    }
    expect(await post(asked, { ...plain, 'mcp-param-region': mirrored, 'mcp-param-other': 'x' })).toEqual([
      200,
      undefined,
    ])
    expect(await post(one.declared(call('lean__sql')), plain)).toEqual([200, undefined])
  })
})

verifies('ERA-4', everywhere, async (cell) => {
  await inStateless(cell, { demo: demo() }, async ({ stateless }) => {
    const one = await stateless()
    const hints = { ttlMs: expect.any(Number), cacheScope: expect.stringMatching(/^(public|private)$/) }
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      const first = resultOf(await one.request(method))
      expect(first).toMatchObject({ resultType: 'complete', ...hints })
      expect(resultOf(await one.request(method))).toEqual(first)
    }
    const [listed] = resultOf(await one.request('resources/list'))['resources'] as unknown as { uri: string }[]
    expect(resultOf(await one.request('resources/read', { uri: listed?.uri ?? '' }))).toMatchObject(hints)
    const result = resultOf(await one.request('tools/call', call('demo__echo', { message: 'hello' })))
    expect(result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'hello' }],
      _meta: { [`${prefix}serverInfo`]: { name: 'junctor' } },
    })
    expect(result).not.toHaveProperty('ttlMs')
    expect(errorOf(await one.request('resources/read', { uri: 'demo+nothing://at/all' })).code).toBe(-32_602)
  })
})

verifies('ERA-5', everywhere, async (cell) => {
  await inStateless(cell, { demo: demo() }, async ({ stateless }) => {
    const one = await stateless()
    await one.request('tools/call', call('demo__echo', { message: 'x' }))
    for (const method of [
      'initialize',
      'ping',
      'logging/setLevel',
      'resources/subscribe',
      'resources/unsubscribe',
      'tasks/list',
      'tasks/result',
      'no/such/method',
    ]) {
      const response = await one.request(method)
      expect([method, errorOf(response).code, one.status() ?? 404]).toEqual([method, -32_601, 404])
    }
    if (one.http === undefined) return
    const headers = { 'mcp-protocol-version': '2026-07-28' }
    expect(one.http.session).toBeUndefined()
    expect((await one.http.get(headers)).status).toBe(405)
    expect((await one.http.delete(headers)).status).toBe(405)
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    expect((await one.http.post(notification, { ...headers, 'mcp-method': 'notifications/cancelled' })).status).toBe(
      202,
    )
  })
})

verifies('ERA-6', everywhere, async (cell) => {
  await inStateless(cell, { demo: demo(), asking: asking() }, async ({ stateless }) => {
    const one = await stateless()
    const notes = () =>
      one.wire.received.map(({ message }) => message).filter(({ method }) => method === 'notifications/message')
    const params = one.declared(call('demo__progress', { steps: 3, delay: 1 }), { progressToken: 'p' })
    await one.request('tools/call', params, 'with progress')
    const updates = one.wire.received.filter(({ message: { method } }) => method === 'notifications/progress')
    expect(updates.map(({ message }) => (message['params'] as JsonObject)['progress'])).toEqual([1, 2, 3])
    const answer = one.wire.received.find(({ message: { id } }) => id === 'with progress')
    expect(new Set(updates.map(({ stream }) => stream))).toEqual(new Set([answer?.stream]))

    for (const backend of ['demo', 'asking']) {
      await one.request('tools/call', call(`${backend}__log`, { text: 'x' }))
      expect(notes()).toEqual([])
    }
    const wanted = await stateless({ meta: { [`${prefix}logLevel`]: 'info' } })
    for (const backend of ['demo', 'asking']) {
      await wanted.request('tools/call', call(`${backend}__log`, { text: 'mine' }), backend)
      const shown = wanted.wire.received
        .filter(({ message: { method } }) => method === 'notifications/message')
        .map(({ message, stream }) => ({ stream, ...(message['params'] as { level: string; logger: string }) }))
        .filter(({ logger }) => logger.startsWith(backend))
      expect(shown.map(({ level }) => level)).toEqual(expect.arrayContaining(['info', 'error']))
      expect(shown.map(({ level }) => level)).not.toContain('debug')
      const own = wanted.wire.received.find(({ message: { id } }) => id === backend)
      expect(new Set(shown.map(({ stream }) => stream))).toEqual(new Set([own?.stream]))
    }
    expect(notes()).toEqual([])
  })
})

verifies('ERA-9', everywhere, async (cell) => {
  await inStateless(cell, { asking: asking() }, async ({ gateway, stateless }) => {
    const one = await stateless()
    const log = async () => textOf(await one.request('tools/call', call('asking__cancelled')))
    const isHanging = async () => textOf(await one.request('tools/call', call('asking__hanging'))) !== '0'
    expect(await log()).toBe('[]')
    if (one.http === undefined) {
      const other = await stateless()
      await one.send('tools/call', one.declared(call('asking__hang')), 'same')
      await other.wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'same' } })
      expect(errorOf(await one.request('tools/list', one.declared(), 'same')).code).toBe(-32_600)
      expect(await log()).toBe('[]')
      await one.wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'same' } })
    } else {
      const gone = new AbortController()
      const hanging = callUntil(gateway.urls[0] as string, one.declared(call('asking__hang')), gone.signal)
      await expect.poll(isHanging).toBe(true)
      gone.abort()
      await expect(hanging).rejects.toThrow(/aborted/)
    }
    await expect.poll(log).not.toBe('[]')
  })
})

verifies('ERA-10', everywhere, async (cell) => {
  await inStateless(cell, { asking: asking({ prefix: '' }) }, async ({ gateway, stateless }) => {
    const one = await stateless()
    await one.request('tools/list')
    const listen = (notifications: JsonObject, id: string) =>
      one.send('subscriptions/listen', one.declared({ notifications }), id)
    const of = (id: string) =>
      one.wire.received
        .map(({ message }) => message)
        .filter(({ params }) => {
          const meta = (params as JsonObject | undefined)?.['_meta'] as JsonObject | undefined
          return meta?.[`${prefix}subscriptionId`] === id
        })
        .map(({ method }) => (method as string).replace('notifications/', ''))
    await listen({ toolsListChanged: true, resourceSubscriptions: ['memo://a'], unheardOf: true }, 'both')
    await listen({ promptsListChanged: true }, 'prompts')
    await expect.poll(() => [...of('both'), ...of('prompts')]).toHaveLength(2)
    const [acknowledged] = one.wire.received.filter(
      ({ message }) => message['method'] === 'notifications/subscriptions/acknowledged',
    )
    expect(acknowledged?.message['params']).toMatchObject({
      notifications: expect.toSatisfy((honoured: JsonObject) => !('unheardOf' in honoured)),
    })
    // At every node: the link that has the subscription is one of many.
    for (let node = 0; node < gateway.urls.length; node += 1) await one.request('tools/call', call('grow'))
    await expect.poll(() => of('both')).toEqual(expect.arrayContaining(['tools/list_changed', 'resources/updated']))
    expect(of('both')[0]).toBe('subscriptions/acknowledged')
    expect(of('prompts')).toEqual(['subscriptions/acknowledged'])
    expect(errorOf(await one.request('subscriptions/listen', { notifications: { toolsListChanged: 1 } })).code).toBe(
      -32_602,
    )
    expect(errorOf(await one.request('subscriptions/listen', {})).code).toBe(-32_602)

    // The node ends a subscription with an answer.
    await Promise.all(gateway.nodes.map((node) => node.close()))
    const { message } = await one.wire.until((received) => received.message['id'] === 'both')
    expect(resultOf(message)).toMatchObject({ resultType: 'complete', _meta: { [`${prefix}subscriptionId`]: 'both' } })
  })
})
