import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { createLogRecorder } from '../src/log-recorder.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const longName = 'a'.repeat(80)
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'address', type: 'object' } },
  properties: { home: { $ref: '#address' }, count: { type: 'integer', maximum: 9_007_199_254_740_991 } },
  allOf: [{ anyOf: [{ required: ['home'] }, { not: { minProperties: 1 } }] }],
  additionalProperties: false,
  'x-own': { order: [3, 1, 2] },
}
const odd = { name: 'odd.tool-name_1', description: 'Odd', inputSchema: schema, 'x-unknown': { kept: true } }

verifies(['MCP-6.2', 'MCP-6.3'], {}, async (cell) => {
  const long = { name: longName, description: 'Long', inputSchema: { type: 'object' } }
  // Two backends without a prefix both have `echo`.
  const backends = { one: lean({ tools: [long] }), bare: demo({ prefix: '' }), other: lean({}, { prefix: '' }) }
  await inGateway(cell, backends, async ({ client }) => {
    const one = await client()
    const names = namesOf(await one.request('tools/list'))
    expect(names.every((name) => /^[A-Za-z0-9_.-]{1,64}$/.test(name))).toBe(true)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['one__echo', 'add', 'received']))
    expect(names).not.toContain('echo')
    expect(errorOf(await one.request('tools/call', { name: 'echo', arguments: {} })).code).toBe(-32602)
    const cut = names.find((name) => name.startsWith('one__aaaa')) as string
    // The tool exists only under its own name: that the call hangs proves that it arrived under this name.
    await one.send({ jsonrpc: '2.0', id: 'cut', method: 'tools/call', params: { name: cut, arguments: { x: 1 } } })
    const log = async () => textOf(await one.request('tools/call', { name: 'one__received', arguments: {} }))
    await expect.poll(log).toContain(`"name":"${longName}"`)
    await one.notify('notifications/cancelled', { requestId: 'cut' })
  })
})

verifies('MCP-6.4', {}, async (cell) => {
  await inGateway(cell, { lean: lean({ tools: [odd] }) }, async ({ client }) => {
    const one = await client()
    const { tools } = resultOf(await one.request('tools/list')) as { tools: readonly JsonObject[] }
    expect(tools.find(({ name }) => name === 'lean__odd.tool-name_1')).toEqual({
      ...odd,
      name: 'lean__odd.tool-name_1',
      // Added by the gateway: any tool can be called as a task.
      execution: { taskSupport: 'optional' },
    })
  })
})

verifies('MCP-6.5', { revisions: ['2024-11-05', '2025-11-25'] }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    const result = resultOf(await one.request('tools/call', { name: 'demo__add', arguments: { a: 1, b: 2 } }))
    const [block] = result['content'] as readonly { text: string }[]
    expect(JSON.parse(block?.text ?? '')).toEqual({ sum: 3 })
    const structured = { '2024-11-05': undefined, '2025-11-25': { sum: 3 } }[cell.revision as '2024-11-05']
    expect(result['structuredContent']).toEqual(structured)
  })
})

verifies('MCP-6.7', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    const unknown = await one.request('tools/call', { name: 'demo__nothing', arguments: {} })
    expect(errorOf(unknown)).toMatchObject({ code: -32602, message: expect.stringContaining('demo__nothing') })
    const wrong = await one.request('tools/call', { name: 'demo__add', arguments: { a: 'one' } })
    expect(resultOf(wrong)).toMatchObject({ isError: true })
  })
})

verifies(['MCP-6.9', 'MCP-6.11', 'MCP-6.12'], {}, async (cell) => {
  const file = { uri: 'file:///same', name: 'same' }
  const offer = { capabilities: { tools: {}, resources: {} }, resources: [file] }
  await inGateway(cell, { one: lean(offer), two: lean(offer), demo: demo() }, async ({ client }) => {
    const one = await client()
    const { resources } = resultOf(await one.request('resources/list')) as { resources: readonly { uri: string }[] }
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toEqual(expect.arrayContaining(['one+file:///same', 'two+file:///same', 'demo+demo://counter']))
    const read = await one.request('resources/read', { uri: 'two+file:///same' })
    expect(resultOf(read)).toEqual({
      contents: [{ uri: 'two+file:///same', text: 'contents of file:///same' }],
    })
    const linked = resultOf(await one.request('tools/call', { name: 'demo__link', arguments: {} }))
    const shown = JSON.stringify(linked).match(/"uri":"[^"]*"/g) ?? []
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((uri) => !uri.startsWith('"uri":"demo+demo://'))).toEqual([])
    const unknown = await one.request('resources/read', { uri: 'demo+demo://none' })
    expect(errorOf(unknown).data).toMatchObject({ uri: 'demo+demo://none' })
  })
})

verifies('MCP-6.13', {}, async (cell) => {
  const offer = { capabilities: { tools: {}, resources: {} } }
  await inGateway(cell, { one: lean(offer), bare: lean(offer, { prefix: '' }), demo: demo() }, async ({ client }) => {
    const one = await client()
    const prefixed = await one.request('resources/read', { uri: 'one+file:///any/thing' })
    expect(JSON.stringify(prefixed)).toContain('contents of file:///any/thing')
    const matching = await one.request('resources/read', { uri: 'file:///any/other' })
    expect(JSON.stringify(matching)).toContain('contents of file:///any/other')
    const unknown = await one.request('resources/read', { uri: 'demo+demo://no/such/thing' })
    expect(errorOf(unknown).code).toBe(-32002)
  })
})

verifies(['MCP-6.14', 'MCP-4.9'], {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client, gateway }) => {
    const [one, other] = [await client(), await client()]
    const uri = 'demo+demo://counter'
    expect(resultOf(await one.request('resources/subscribe', { uri }))).toEqual({})
    // Called by the client itself: the demo in another node's process, where the other client may be, has other state.
    await one.request('tools/call', { name: 'demo__tick', arguments: {} })
    await one.until(({ message: { method } }) => method === 'notifications/resources/updated')
    expect(one.messagesOf('notifications/resources/updated')[0]?.['params']).toEqual({ uri })
    expect(other.messagesOf('notifications/resources/updated')).toEqual([])
    expect(resultOf(await one.request('resources/unsubscribe', { uri }))).toEqual({})
    await other.request('resources/subscribe', { uri })
    await other.request('tools/call', { name: 'demo__tick', arguments: {} })
    await other.until(({ message: { method } }) => method === 'notifications/resources/updated')
    expect(one.messagesOf('notifications/resources/updated')).toHaveLength(1)
    expect(gateway.nodes).toHaveLength(cell.nodes)
  })
})

verifies(['MCP-6.1', 'MCP-6.15', 'MCP-4.12'], {}, async (cell) => {
  await inGateway(cell, { lean: lean() }, async ({ client }) => {
    const [one, other] = [await client(), await client()]
    await one.request('tools/list')
    await one.request('tools/call', { name: 'lean__flood', arguments: {} })
    await one.until(({ message: { method } }) => method === 'notifications/tools/list_changed')
    expect(namesOf(await one.request('tools/list'))).toContain('lean__echo')
    // A thousand changes are reported once or twice, and not to a session whose own backend did not change.
    expect(one.messagesOf('notifications/tools/list_changed').length).toBeLessThan(5)
    expect(other.messagesOf('notifications/tools/list_changed')).toEqual([])
  })
})

verifies('MCP-6.16', {}, async (cell) => {
  const offer = { capabilities: { tools: {}, prompts: {} }, prompts: [{ name: 'hello', description: 'Says hello' }] }
  await inGateway(cell, { lean: lean(offer), demo: demo() }, async ({ client }) => {
    const one = await client()
    const listed = namesOf(await one.request('prompts/list'), 'prompts')
    expect(listed).toEqual(expect.arrayContaining(['lean__hello', 'demo__greeting']))
    const got = await one.request('prompts/get', { name: 'lean__hello' })
    expect(JSON.stringify(got)).toContain('prompt hello')
    expect(errorOf(await one.request('prompts/get', { name: 'hello' })).code).toBe(-32602)
  })
})

verifies('MCP-6.17', {}, async (cell) => {
  const offer = { capabilities: { tools: {}, prompts: {} }, prompts: [{ name: 'hello', description: 'Says hello' }] }
  await inGateway(cell, { lean: lean(offer), demo: demo() }, async ({ client }) => {
    const one = await client()
    const complete = (ref: JsonObject, argument: JsonObject) => one.request('completion/complete', { ref, argument })
    const { prompts } = resultOf(await one.request('prompts/list')) as {
      prompts: readonly { name: string; arguments?: readonly { name: string }[] }[]
    }
    const [argument] = prompts.find(({ name }) => name === 'demo__greeting')?.arguments ?? []
    const found = await complete(
      { type: 'ref/prompt', name: 'demo__greeting' },
      { name: argument?.name ?? '', value: '' },
    )
    const { values } = resultOf(found)['completion'] as { values: readonly string[] }
    expect(values.length).toBeGreaterThan(0)
    const none = await complete({ type: 'ref/prompt', name: 'lean__hello' }, { name: 'x', value: '' })
    expect(resultOf(none)).toEqual({ completion: { values: [], total: 0, hasMore: false } })
    const unknown = await complete({ type: 'ref/prompt', name: 'nobody' }, { name: 'x', value: '' })
    expect(errorOf(unknown).code).toBe(-32602)
  })
})

verifies(['MCP-6.18', 'MCP-6.19'], {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const [one, other] = [await client(), await client()]
    expect(resultOf(await one.request('logging/setLevel', { level: 'error' }))).toEqual({})
    expect(resultOf(await other.request('logging/setLevel', { level: 'debug' }))).toEqual({})
    expect(errorOf(await one.request('logging/setLevel', { level: 'loud' })).code).toBe(-32602)
    await one.request('tools/call', { name: 'demo__log', arguments: {} })
    await other.request('tools/call', { name: 'demo__log', arguments: {} })
    const levels = (from: typeof one) =>
      from.messagesOf('notifications/message').map(({ params }) => (params as JsonObject)['level'])
    expect(levels(one)).toEqual(['error', 'critical', 'alert', 'emergency'])
    expect(levels(other)).toHaveLength(8)
    const loggers = one.messagesOf('notifications/message').map(({ params }) => (params as JsonObject)['logger'])
    expect(loggers[0]).toMatch(/^demo/)
  })
})

verifies(['MCP-6.20', 'MCP-6.21'], {}, async (cell) => {
  const tools = Array.from({ length: 25 }, (_, index) => ({ ...odd, name: `t${index}` }))
  const backends = { paged: lean({ tools, page: 3 }), looping: lean({ next: 'itself' }) }
  await inGateway(
    cell,
    backends,
    async ({ client }) => {
      const one = await client()
      const names: string[] = []
      let cursor: unknown
      do {
        const listed = await one.request('tools/list', cursor === undefined ? {} : { cursor: cursor as string })
        names.push(...namesOf(listed))
        cursor = resultOf(listed)['nextCursor']
      } while (cursor !== undefined)
      expect(names.filter((name) => name.startsWith('paged__t'))).toEqual(tools.map(({ name }) => `paged__${name}`))
      expect(new Set(names).size).toBe(names.length)
      expect(errorOf(await one.request('tools/list', { cursor: 'made up' })).code).toBe(-32602)
      const [first, unpaged] = [await one.request('tools/list', { cursor: null }), await one.request('tools/list')]
      expect(resultOf(first)).toEqual(resultOf(unpaged))
    },
    { config: { limits: { pageItems: 10 } } },
  )
})

verifies('MCP-6.25', {}, async (cell) => {
  await inGateway(cell, { paged: lean({ page: 3, overlap: 1 }) }, async ({ client }) => {
    const one = await client()
    const names = namesOf(await one.request('tools/list'))
    expect(names.slice(0, 4)).toEqual(['paged__echo', 'paged__received', 'paged__hang', 'paged__noise'])
    expect(new Set(names).size).toBe(names.length)
    // The last of the second page, and the first of the third.
    const called = await one.request('tools/call', { name: 'paged__environment', arguments: {} })
    expect(resultOf(called)).toHaveProperty('content')
  })
})

// The lists are read behind the transports, which have no part in it: a thousand pages take seconds.
verifies('MCP-6.24', { ways: ['http'] }, async (cell) => {
  const { log, records } = createLogRecorder()
  const wrong = ['empty', 'itself', 'new'] as const
  const backends = {
    right: lean(),
    ...Object.fromEntries(wrong.map((next) => [next, lean({ next })])),
    broken: lean({ next: 'number' }),
  }
  await inGateway(
    cell,
    backends,
    async ({ client, gateway }) => {
      const one = await client()
      const namesNow = async () => namesOf(await one.request('tools/list'))
      // A list does not wait for slow backends as long as these pages may take.
      await expect.poll(namesNow, { timeout: 30_000 }).toContain('new__echo')
      const names = await namesNow()
      for (const backend of ['right', ...wrong]) {
        expect(names.filter((name) => name === `${backend}__echo`)).toHaveLength(1)
        const called = await one.request('tools/call', { name: `${backend}__echo`, arguments: { from: backend } })
        expect(resultOf(called)['structuredContent']).toEqual({ from: backend })
      }
      const { data, message } = errorOf(await one.request('tools/call', { name: 'broken__echo', arguments: {} }))
      expect(data).toMatchObject({ reason: 'backend_unavailable', backend: 'broken' })
      expect(message).toContain('does not list what it offers')
      const status = await Promise.all(gateway.nodes.map((node) => node.status()))
      for (const [backend, problem] of Object.entries(problems)) {
        const logged = records.filter(
          ({ message: text, fields }) => text.includes('end its lists') && fields['backend'] === backend,
        )
        expect(logged.map(({ fields }) => fields['problems'])).toEqual(
          expect.arrayContaining([expect.arrayContaining([expect.stringMatching(problem)])]),
        )
        expect(logged.length).toBeLessThanOrEqual(gateway.nodes.length)
        const warnings = status.flat().flatMap((found) => (found.name === backend ? found.warnings : []))
        expect(warnings).toEqual(expect.arrayContaining([expect.stringMatching(problem)]))
      }
    },
    { log },
  )
})

/** What a backend whose pages name this as the next page is said to do. */
const problems = {
  empty: 'tools/list: page 2 gave a "nextCursor" of an earlier page',
  itself: 'tools/list: page 2 gave a "nextCursor" of an earlier page',
  // On a busy machine, the time is over before.
  new: 'tools/list: expected (?:at most 1000 pages|all pages within 10 seconds)',
}
