import { beforeAll, expect } from 'vitest'
import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'
import { demo, inGateway } from '../src/in-gateway.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

let sample: string
beforeAll(async () => {
  sample = await buildWasmSample()
}, 120_000)

const call = async (client: WireClient, name: string, args = {}, more = {}) =>
  client.request('tools/call', { name, arguments: args, ...more })

verifies('WASM-1', {}, async (cell) => {
  await inGateway(cell, { wasm: { wasm: sample } }, async ({ client: open }) => {
    const client = await open()
    const { tools } = resultOf(await client.request('tools/list'))
    expect(tools).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'wasm__echo',
          description: 'Answers with its text',
          inputSchema: {
            type: 'object',
            properties: { text: { type: 'string' } },
            required: ['text'],
            additionalProperties: false,
          },
        }),
      ]),
    )
    expect(textOf(await call(client, 'wasm__echo', { text: 'Grüße "🎉"' }))).toBe('Grüße "🎉"')
    expect(JSON.stringify(await call(client, 'wasm__echo', { text: 7 }))).toContain('/text: must be string (got 7)')
  })
})

verifies('WASM-2', {}, async (cell) => {
  await inGateway(cell, { wasm: { wasm: sample } }, async ({ client: open }) => {
    const client = await open()
    expect(textOf(await call(client, 'wasm__steps', {}, { _meta: { progressToken: 'p' } }))).toBe('done')
    const updates = client.messagesOf('notifications/progress').map(({ params }) => params)
    expect(updates).toMatchObject([1, 2, 3].map((progress) => ({ progressToken: 'p', progress, total: 3 })))
  })
})

verifies('WASM-3', { ways: ['http', 'stdio', 'websocket'] }, async (cell) => {
  const wasm = { wasm: sample, threads: 1, timeout: '2s' }
  await inGateway(cell, { wasm, demo: demo() }, async ({ client: open }) => {
    const client = await open()
    const looping = call(client, 'wasm__wait')
    expect(textOf(await call(client, 'demo__echo', { message: 'meanwhile' }))).toBe('meanwhile')
    expect(errorOf(await looping)).toMatchObject({ data: { reason: 'deadline_exceeded' } })
    expect(errorOf(await call(client, 'wasm__crash'))).toMatchObject({
      message: 'The tool failed without a result',
      data: { reason: 'tool_failed' },
    })
    expect(textOf(await call(client, 'wasm__echo', { text: 'then' }))).toBe('then')
  })
})

verifies('WASM-4', { ways: ['http'] }, async (cell) => {
  const backends = {
    wasm: { wasm: sample, values: { greeting: 'Moin' }, hosts: ['example.invalid', 'wasm__echo.spin.internal'] },
  }
  await inGateway(cell, backends, async ({ client: open }) => {
    const client = await open()
    expect(textOf(await call(client, 'wasm__greet', { text: 'Ada' }))).toBe('Moin, Ada!')
    expect(textOf(await call(client, 'wasm__get', { text: 'http://127.0.0.1:1/' }))).toBe(
      '{"error":"The host 127.0.0.1 is not one of the hosts of this module"}',
    )
    // A host of this form is a tool of the gateway, which takes its arguments by POST.
    expect(textOf(await call(client, 'wasm__get', { text: 'http://wasm__echo.spin.internal/' }))).toContain(
      'Expected POST with the arguments of wasm__echo',
    )
  })
})

verifies('WASM-5', { ways: ['http'] }, async (cell) => {
  const none = { wasm: import.meta.filename }
  await inGateway(cell, { none, wasm: { wasm: sample }, demo: demo() }, async ({ client: open, gateway }) => {
    const names = namesOf(await (await open()).request('tools/list'))
    expect(names).toEqual(expect.arrayContaining(['wasm__echo', 'demo__echo']))
    expect(names.some((name) => name.startsWith('none__'))).toBe(false)
    const error = expect.objectContaining({
      message: expect.stringContaining('expected a WebAssembly module, got another file') as string,
    }) as Error
    const status = await gateway.nodes[0]?.status()
    expect(status).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'none', error })]))
  })
})
