import { openBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { expect, it, onTestFinished } from 'vitest'
import { wasmPlugin } from '../src/index.ts'
import { buildWat, giveText, type WatModule, writeModule } from './support/build-wat.ts'

async function open(wat: WatModule, text: string | Uint8Array = '', config: object = {}): Promise<TestClient> {
  const client = await openBackend(wasmPlugin, { config: { wasm: writeModule(await buildWat(wat, text)), ...config } })
  onTestFinished(() => client.close())
  return client
}

const answer = JSON.stringify({ content: [{ type: 'text', text: 'Hello' }] })

it('a module has tools that are listed and called', async () => {
  const client = await open({}, answer)
  expect(await client.listTools()).toEqual([{ name: 'tool', description: 'A tool', inputSchema: { type: 'object' } }])
  expect(await client.callTool('tool')).toEqual({ content: [{ type: 'text', text: 'Hello' }] })
})

it('a trap is the error tool_failed, and the next call works', async () => {
  const call = `(call $take (i32.sub (call $input) (call $input))) (if (i32.eq (call $input) (i32.const 2)) (then unreachable)) ${giveText}`
  const client = await open({ call }, answer)
  await expect(client.callTool('tool')).rejects.toMatchObject({
    message: 'The tool failed without a result',
    code: -32603,
  })
  expect(await client.callTool('tool', { fine: true })).toMatchObject({ content: [{ text: 'Hello' }] })
})

it('an endless loop is stopped when the call is cancelled, and the next call works', async () => {
  const call = `(if (i32.eq (call $input) (i32.const 2)) (then (loop $l (br $l)))) ${giveText}`
  const client = await open({ call }, answer, { threads: 1 })
  await expect(client.callTool('tool', {}, { signal: AbortSignal.timeout(200) })).rejects.toThrow('cancelled')
  expect(await client.callTool('tool', { fine: true })).toMatchObject({ content: [{ text: 'Hello' }] })
})
