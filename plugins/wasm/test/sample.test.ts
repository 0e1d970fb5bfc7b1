import { silentLog } from '@junctor/plugin-sdk/link'
import { assertWellBehaved, openBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { describeBackend } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWasmBackend } from '../src/create-wasm-backend.ts'
import { wasmPlugin } from '../src/index.ts'
import { config } from '../src/config.ts'
import { type BuiltSample, buildSample } from './support/build-sample.ts'

let sample: BuiltSample
beforeAll(async () => {
  sample = await buildSample()
}, 120_000)
afterAll(() => sample.remove())

async function open(options: object = {}): Promise<TestClient> {
  const client = await openBackend(wasmPlugin, { config: { wasm: sample.path, ...options } })
  onTestFinished(() => client.close())
  return client
}

describeBackend('a module of WebAssembly', { echo: 'echo', steps: 'steps', wait: 'wait', log: 'log' }, async () => ({
  backend: await createWasmBackend(config.parse({ wasm: sample.path }), {
    name: 'sample',
    folder: '/',
    log: silentLog,
  }),
}))

describe('the sample', () => {
  it('passes assertWellBehaved', async () => {
    const options = { config: { wasm: sample.path }, slowCall: { tool: 'wait' } }
    await expect(assertWellBehaved(wasmPlugin, options)).resolves.toBeUndefined()
  })

  it('has the metadata that the module gives', async () => {
    const client = await open()
    const [echo] = await client.listTools()
    expect(echo).toEqual({
      name: 'echo',
      title: 'Echo',
      description: 'Answers with its text',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    })
    expect(client.server.info).toEqual({ name: 'test', version: '1.0.0' })
  })

  it.each(['plain', 'quotes " and \\ and \n', 'Grüße, 世界 🎉', ''])(
    'a text comes back as it was: %j',
    async (text) => {
      const client = await open()
      expect(await client.callTool('echo', { text })).toEqual({ content: [{ type: 'text', text }] })
    },
  )

  it('reports progress with its total and its message', async () => {
    const received: unknown[] = []
    await (await open()).callTool('steps', {}, { onProgress: (progress) => received.push(progress) })
    expect(received).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `Step ${step}` })))
  })

  it('sends pieces one by one', async () => {
    const pieces: unknown[] = []
    await (await open()).callTool('stream', {}, { onChunk: (piece) => pieces.push(piece) })
    expect(pieces).toEqual(['one ', 'two ', { type: 'text', text: 'three' }])
  })

  it('reads the values that the operator gives, and nothing of the environment', async () => {
    process.env['greeting'] = 'from the environment'
    onTestFinished(() => void delete process.env['greeting'])
    const [without, withValue] = [await open(), await open({ values: { greeting: 'Moin' } })]
    expect(await without.callTool('greet', { text: 'Ada' })).toMatchObject({ content: [{ text: 'Hello, Ada!' }] })
    expect(await withValue.callTool('greet', { text: 'Ada' })).toMatchObject({ content: [{ text: 'Moin, Ada!' }] })
  })

  it('explains a failure to the caller', async () => {
    expect(await (await open()).callTool('refuse', { text: 'no' })).toEqual({
      content: [{ type: 'text', text: 'Refused: no' }],
      isError: true,
    })
  })

  it('arguments are checked before the module is called', async () => {
    const client = await open()
    expect(await client.callTool('crash', { surplus: 1 })).toMatchObject({ isError: true })
    await expect(client.callTool('crash')).rejects.toMatchObject({ message: 'The tool failed without a result' })
  })
})
