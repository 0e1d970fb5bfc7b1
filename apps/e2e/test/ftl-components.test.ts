import { setTimeout as sleep } from 'node:timers/promises'
import { parseConfig } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import { type ComponentCall, eventually, startComponent, type TestComponent } from '@junctor/testkit'
import { afterEach, expect } from 'vitest'
import { call, onWire, plugins, request } from '../src/ftl/on-wire.ts'
import { inGateway } from '../src/in-gateway.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

// The components of the profile `ftl`: real servers behind a gateway, as its document describes them.

const everywhere = { ways: ['http', 'stdio', 'websocket'], revisions: ['2024-11-05'] } as const

/** The document's description of a component. */
const described = {
  name: 'tool-name',
  title: 'Human Readable Name',
  description: 'What this tool does',
  version: '1.0.0',
  inputSchema: {
    type: 'object',
    properties: { param1: { type: 'string', description: 'Parameter description' } },
    required: ['param1'],
  },
}
const answer = { content: [{ type: 'text', text: 'Tool execution result' }] }
const params = { param1: 'value1', param2: 'value2' }

const started: TestComponent[] = []
afterEach(async () => void (await Promise.all(started.splice(0).map((one) => one.close()))))

async function component(options: Partial<Parameters<typeof startComponent>[0]> = {}): Promise<TestComponent> {
  const one = await startComponent({ description: described, answer: () => answer, ...options })
  started.push(one)
  return one
}

/** Sends frames as lines. */
function lines({ response }: ComponentCall, frames: readonly object[]): undefined {
  response.setHeader('content-type', 'application/x-ndjson')
  response.end(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''))
  return undefined
}

verifies(['E-1', 'E-5', 'E-6'], everywhere, async (cell) => {
  const one = await component()
  await onWire(cell, { parts: { tool: one.url } }, async (send) => {
    const { title: _, version: __, ...tool } = described
    expect(resultOf(await send(request('tools/list')))).toEqual({ tools: [tool] })
    expect(one.reads).toBeGreaterThan(0)
    expect(one.calls).toEqual([])
    expect(resultOf(await send(call('tool-name', params)))).toEqual(answer)
    expect(one.calls.map(({ body }) => JSON.parse(body) as unknown)).toEqual([params])
  })
})

verifies(['E-7', 'E-8'], everywhere, async (cell) => {
  const content = [
    { type: 'text', text: 'Plain text response' },
    { type: 'image', data: 'base64-encoded-image-data', mimeType: 'image/png' },
    {
      type: 'resource',
      resource: { uri: 'file:///path/to/resource', text: 'Resource content', mimeType: 'text/plain' },
    },
    { type: 'custom/chart', data: [1, 2], metadata: { chartType: 'bar' } },
  ]
  const one = await component({ answer: () => ({ content }) })
  await onWire(cell, { parts: { tool: one.url } }, async (send) => {
    expect(resultOf(await send(call('tool-name', params)))).toEqual({ content })
  })
})

verifies(['E-10', 'E-18'], everywhere, async (cell) => {
  const one = await component()
  const down = await component({ description: { ...described, name: 'down' } })
  const slow = await component({
    description: { ...described, name: 'slow' },
    answer: () => new Promise(() => undefined),
  })
  await onWire(
    cell,
    { parts: { tool: [one.url, down.url] }, slow: { tool: slow.url, timeout: '300ms' } },
    async (send) => {
      await send(request('tools/list'))
      await down.close()
      const refused = async (name: string): Promise<unknown> => {
        const { code, message, data } = errorOf(await send(call(name, params)))
        return [code, message, data?.['reason']]
      }
      one.answer = ({ response }) => void response.writeHead(500).end('Error: at /srv/secret.js:3')
      expect(await refused('tool-name')).toEqual([-32002, 'Tool error: tool-name gave HTTP status 500', 'tool_failed'])
      one.answer = ({ response }) => void response.end('<html>')
      expect(await refused('tool-name')).toEqual([
        -32002,
        'Tool error: tool-name gave an answer that is not JSON',
        'tool_failed',
      ])
      one.answer = () => ({})
      expect(await refused('tool-name')).toEqual([
        -32002,
        'Tool error: tool-name gave an answer without content',
        'tool_failed',
      ])
      one.answer = () => ({ content: [{ type: 'text', text: 'No such city' }], isError: true })
      expect(await refused('tool-name')).toEqual([-32002, 'Tool error: No such city', 'tool_failed'])
      expect(await refused('slow')).toEqual([-32004, 'Gateway error', 'deadline_exceeded'])
      const [code, message, reason] = (await refused('down')) as readonly unknown[]
      expect([code, reason]).toEqual([-32004, 'backend_unavailable'])
      expect(message).toBe('Gateway error: down cannot be reached')
    },
  )
})

verifies('E-12', everywhere, async (cell) => {
  const one = await component()
  await onWire(cell, { parts: { tool: one.url } }, async (send) => {
    for (const wrong of [{}, { param1: 3 }]) {
      expect(errorOf(await send(call('tool-name', wrong)))).toMatchObject({
        code: -32003,
        message: expect.stringMatching(/^Invalid schema: /),
        data: { tool: 'tool-name', reason: 'invalid_arguments' },
      })
    }
    for (const malformed of [3, 'text', ['value1']]) {
      expect(errorOf(await send(call('tool-name', malformed))).code).toBe(-32602)
    }
    expect(one.calls).toEqual([])
  })
})

verifies('E-13', everywhere, async (cell) => {
  const weather = await component({ description: { ...described, name: 'weather' } })
  const calculator = await component({ description: { ...described, name: 'calculator' } })
  const components = [`${weather.port}`, `${calculator.port}`]
  await onWire(cell, { parts: { tool: 'http://127.0.0.1:{component}/', components } }, async (send) => {
    expect(namesOf(await send(request('tools/list')))).toEqual(['weather', 'calculator'])
    expect(resultOf(await send(call('calculator', params)))).toEqual(answer)
    expect([weather.calls.length, calculator.calls.length]).toEqual([0, 1])
  })
})

verifies('E-14', { ways: ['http', 'stdio', 'websocket'], revisions: ['2025-11-25'] }, async (cell) => {
  const one = await component({ description: { ...described, name: 'one' } })
  const other = await component({ description: { ...described, name: 'other' } })
  const registry = await component({ description: { components: [one.url] } })
  await inGateway(
    cell,
    { parts: { tool: { registry: registry.url }, refresh: '100ms', prefix: '' } },
    async ({ client, gateway }) => {
      const user = await client()
      expect(namesOf(await user.request('tools/list'))).toEqual(['one'])
      registry.description = { components: [one.url, other.url] }
      await eventually(() => expect(user.messagesOf('notifications/tools/list_changed')).not.toEqual([]))
      await eventually(async () => expect(namesOf(await user.request('tools/list'))).toEqual(['one', 'other']))
      await other.close()
      await eventually(async () => {
        const [status] = (await gateway.nodes[0]?.status()) ?? []
        expect(status?.warnings).toEqual([expect.stringContaining(other.url)])
      })
      expect(resultOf(await user.request('tools/call', { name: 'one', arguments: params }))).toEqual(answer)
      await component({ description: { ...described, name: 'other' }, port: other.port })
      await eventually(async () => {
        expect(resultOf(await user.request('tools/call', { name: 'other', arguments: params }))).toEqual(answer)
      })
      registry.description = { components: [other.url] }
      await eventually(async () => expect(namesOf(await user.request('tools/list'))).toEqual(['other']))
    },
    { plugins, config: { limits: { listChanged: '10ms' } } },
  )
})

verifies('E-14', { ways: ['http'], revisions: ['2024-11-05'] }, async (cell) => {
  const [one, other] = [
    await component({ description: { name: 'one' } }),
    await component({ description: { name: 'other' } }),
  ]
  const registry = await component({ description: { components: [one.url] } })
  const parts = { tool: { registry: registry.url }, refresh: '100ms', idle: '50ms' }
  await onWire(cell, { parts }, async (send) => {
    expect(namesOf(await send(request('tools/list')))).toEqual(['one'])
    // Nobody uses it for longer than its idle time and the interval in which idle connections are closed.
    await sleep(2_500)
    registry.description = { components: [one.url, other.url] }
    await eventually(async () => expect(namesOf(await send(request('tools/list')))).toEqual(['one', 'other']))
  })
})

verifies('E-18', { ...everywhere, ways: ['http'] }, async () => {
  const file = JSON.stringify({ profile: 'ftl', backends: { parts: { tool: 'http://127.0.0.1/' } } })
  const parsed = parseConfig(file, { file: 'junctor.json', plugins, env: {} })
  expect(parsed).toMatchObject({ kind: 'valid', config: { timeoutMs: 30_000, backends: [{ timeoutMs: 30_000 }] } })
})

verifies('E-20', everywhere, async (cell) => {
  const one = await component({
    answer: (made) =>
      lines(made, [
        { jsonrpc: '3.0', ack: { progress: 1, total: 2 } },
        { jsonrpc: '3.0', stream: { data: { type: 'text', text: 'Processing...' } } },
        { jsonrpc: '3.0', stream: { data: { type: 'text', text: 'Still working...' } } },
        { jsonrpc: '3.0', result: { content: [{ type: 'text', text: 'Complete!' }] } },
      ]),
  })
  await onWire(cell, { parts: { tool: one.url } }, async (send, { wire }) => {
    const texts = ['Processing...', 'Still working...', 'Complete!']
    expect(resultOf(await send(call('tool-name', params)))).toEqual({
      content: texts.map((text) => ({ type: 'text', text })),
    })
    await wire.send({ ...call('tool-name', params), jsonrpc: '3.0', id: 'streamed', options: { stream: true } })
    const ofStream = ({ message: { stream } }: { message: JsonObject }): boolean =>
      (stream as JsonObject | undefined)?.['id'] === 'streamed'
    const { message: last } = await wire.until((received) => ofStream(received) && 'result' in received.message)
    expect(textOf(last)).toBe('Complete!')
    const pieces = wire.received.filter(ofStream).slice(0, -1)
    expect(pieces.map(({ message }) => ((message['stream'] as JsonObject)['data'] as JsonObject)['text'])).toEqual(
      texts.slice(0, 2),
    )
  })
})
