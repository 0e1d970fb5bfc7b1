import { renameSync, writeFileSync } from 'node:fs'
import { openBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { eventually } from '@junctor/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { wasmPlugin } from '../src/index.ts'
import { buildWat, compileWat, giveText, plainTool, type WatModule, writeModule } from './support/build-wat.ts'

async function openFile(wasm: string, config: object = {}): Promise<TestClient> {
  const client = await openBackend(wasmPlugin, { config: { wasm, ...config } })
  onTestFinished(() => client.close())
  return client
}

async function open(wat: WatModule, text: string | Uint8Array = answer, config: object = {}): Promise<TestClient> {
  return openFile(writeModule(await buildWat(wat, text)), config)
}

const answer = JSON.stringify({ content: [{ type: 'text', text: 'Hello' }] })
const failed = { message: 'The tool failed without a result', code: -32603 }
/** Runs the code only when the arguments are `{}`; otherwise the call gives its text. */
function unlessArguments(code: string): string {
  return `(if (i32.eq (call $input) (i32.const 2)) (then ${code})) ${giveText}`
}
const fine = { fine: true }

describe('a file that cannot be used is refused with the reason', () => {
  it.each<[string, () => Promise<Uint8Array>, string]>([
    ['no module', async () => Buffer.from('#!/bin/sh\n'), 'expected a WebAssembly module, got another file'],
    ['empty', async () => Buffer.alloc(0), 'expected a WebAssembly module, got another file'],
    ['a component', async () => Buffer.from([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]), 'got a component'],
    [
      'with objects outside of its memory',
      async () => Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 3, 1, 0x5f, 0]),
      'without types for garbage collection',
    ],
    [
      'with a table that is too large',
      async () => buildWat({ more: '(table 1000001 funcref)' }),
      'begins with 1000001 entries in a table',
    ],
    ['cut off', async () => (await buildWat({})).subarray(0, 300), 'cannot be used'],
    [
      'another contract',
      async () =>
        compileWat(
          '(module (import "wasi_snapshot_preview1" "proc_exit" (func (param i32))) (memory (export "memory") 1))',
        ),
      'build it without WASI',
    ],
    [
      'a foreign function',
      async () => compileWat('(module (import "junctor" "open" (func)) (memory (export "memory") 1))'),
      'imports junctor.open (function)',
    ],
    [
      'no memory',
      async () => compileWat('(module (func (export "describe")) (func (export "call")))'),
      'a memory of its own',
    ],
    [
      'no call',
      async () => compileWat('(module (memory (export "memory") 1) (func (export "describe")))'),
      'does not export "call"',
    ],
    [
      'too much memory',
      async () => buildWat({ memory: '(memory (export "memory") 5000)' }),
      'begins with 327680000 bytes of memory',
    ],
    ['a trap in describe', async () => buildWat({ describe: 'unreachable' }), 'RuntimeError: unreachable'],
    [
      'a trap at its start',
      async () => buildWat({ more: '(func $s unreachable) (start $s)' }),
      'RuntimeError: unreachable',
    ],
    ['no metadata', async () => buildWat({ describe: '' }), 'it has called no "output"'],
    ['metadata that is null', async () => buildWat({ describe: giveText }, 'null'), 'a list of objects, got null'],
    ['metadata without tools', async () => buildWat({ metadata: [] }), 'at least one tool'],
    [
      'metadata without a schema',
      async () => buildWat({ metadata: { name: 'a', description: 'A' } }),
      'an object "inputSchema"',
    ],
    [
      'a schema that cannot be used',
      async () => buildWat({ metadata: { ...plainTool, inputSchema: { type: 'text' } } }),
      'inputSchema of tool tool',
    ],
    ['a name twice', async () => buildWat({ metadata: [plainTool, plainTool] }), '"tool" twice'],
    [
      'events in describe',
      async () => buildWat({ describe: '(call $log (i32.const 1) (i32.const 0) (i32.const 0))' }),
      'only while a tool is called',
    ],
  ])('%s', async (_what, build, reason) => {
    await expect(openFile(writeModule(await build()))).rejects.toThrow(reason)
  })

  it('a file that is not there', async () => {
    await expect(openFile('/nowhere/tool.wasm')).rejects.toThrow('ENOENT')
  })

  it('describe that never ends', { timeout: 30_000 }, async () => {
    await expect(open({ describe: '(loop $l (br $l))' })).rejects.toThrow('longer than 5000 ms')
  })
})

describe('a call that fails is tool_failed, and the next call works', () => {
  const forAnswers = '(loop $l (call $piece (i32.const 32768) (i32.const 1)) (br $l))'
  it.each<[string, string]>([
    ['a trap', 'unreachable'],
    ['division by zero', '(drop (i32.div_u (i32.const 1) (i32.const 0)))'],
    ['endless recursion', '(call $down)'],
    ['no answer', 'return'],
    ['an answer outside of the memory', '(call $output (i32.const 0x7ffffff0) (i32.const 64))'],
    ['an answer of 4 GiB', '(call $output (i32.const 0) (i32.const -1))'],
    [
      'an answer that is not UTF-8',
      '(i32.store8 (i32.const 0) (i32.const 0xff)) (call $output (i32.const 0) (i32.const 1)) return',
    ],
    ['an answer that is not JSON', '(call $output (i32.const 1030) (i32.const 9)) return'],
    ['pieces that are no JSON', forAnswers],
    ['progress that is no number', '(call $progress (f64.const nan) (f64.const 0) (i32.const 0) (i32.const 0))'],
    [
      'a flood of progress',
      '(loop $l (call $progress (f64.const 1) (f64.const 0) (i32.const 0) (i32.const 0)) (br $l))',
    ],
    ['a flood of log messages', '(loop $l (call $log (i32.const 7) (i32.const 0) (i32.const 0)) (br $l))'],
    [
      'a table that grows without end',
      '(loop $l (if (i32.eq (table.grow $t (ref.null func) (i32.const 100000)) (i32.const -1)) (then unreachable)) (br $l))',
    ],
  ])('%s', async (_what, code) => {
    const more = '(table $t 1 funcref) (func $down (call $down))'
    const client = await open({ call: unlessArguments(code), more }, answer, { output: '64KiB', threads: 1 })
    await expect(client.callTool('tool')).rejects.toMatchObject(failed)
    expect(await client.callTool('tool', fine)).toMatchObject({ content: [{ text: 'Hello' }] })
  })

  it.each(['null', '[]', '7', '"text"', '{}', '{"content":null}', '{"content":[null]}', '{"content":[{"text":"a"}]}'])(
    'the answer %s',
    async (text) => {
      await expect((await open({}, text)).callTool('tool')).rejects.toMatchObject(failed)
    },
  )

  it('a module that catches the failure of the host gets no further', async () => {
    const call = `(block $done (try (do (call $output (i32.const -8) (i32.const 64))) (catch_all (br $done)))) ${giveText}`
    await expect((await open({ call })).callTool('tool')).rejects.toMatchObject(failed)
  })
})

describe('bounds', () => {
  const fill = `(loop $l
    (if (i32.eq (memory.grow (i32.const 16)) (i32.const -1)) (then unreachable))
    (memory.fill (i32.mul (i32.sub (memory.size) (i32.const 16)) (i32.const 65536)) (i32.const 7) (i32.const 1048576)) (br $l))`

  it('memory that grows without end stops at its bound', async () => {
    const client = await open({ call: unlessArguments(fill) }, answer, { memory: '16MiB' })
    const before = process.memoryUsage().rss
    await expect(client.callTool('tool')).rejects.toMatchObject(failed)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
    expect(await client.callTool('tool', fine)).toMatchObject({ content: [{ text: 'Hello' }] })
  })

  it('a module may declare less memory than the bound', async () => {
    const memory = '(memory (export "memory") 1 2)'
    const call = `(if (i32.ne (memory.grow (i32.const 2)) (i32.const -1)) (then unreachable)) ${giveText}`
    expect(await (await open({ memory, call })).callTool('tool')).toMatchObject({ content: [{ text: 'Hello' }] })
  })

  it('1,000 calls at once are all answered', async () => {
    const client = await open({})
    const answers = await Promise.all(Array.from({ length: 1000 }, () => client.callTool('tool')))
    expect(new Set(answers.map((given) => JSON.stringify(given)))).toEqual(new Set([answer]))
  })

  it('calls that loop do not keep another tenant waiting', async () => {
    const path = writeModule(await buildWat({ call: unlessArguments('(loop $l (br $l))') }, answer))
    const { createWasmBackend } = await import('../src/create-wasm-backend.ts')
    const { config } = await import('../src/config.ts')
    const { silentLog } = await import('@junctor/plugin-sdk')
    const options = config.parse({ wasm: path, threads: 1 })
    const backend = await createWasmBackend(options, { name: 'test', folder: '/', log: silentLog })
    const loud = await openBackend(backend, { context: { tenant: 'loud' } })
    const quiet = await openBackend(backend, { context: { tenant: 'quiet' } })
    onTestFinished(() => loud.close())
    const controller = new AbortController()
    const loops = Array.from({ length: 10 }, () => loud.callTool('tool', {}, { signal: controller.signal }))
    expect(await quiet.callTool('tool', fine)).toMatchObject({ content: [{ text: 'Hello' }] })
    controller.abort()
    await expect(Promise.allSettled(loops)).resolves.toHaveLength(10)
    expect(await loud.callTool('tool', fine)).toMatchObject({ content: [{ text: 'Hello' }] })
  })

  it('a backend that is closed opens nothing more', async () => {
    const path = writeModule(await buildWat({}, answer))
    const { createWasmBackend } = await import('../src/create-wasm-backend.ts')
    const { config } = await import('../src/config.ts')
    const { silentLog } = await import('@junctor/plugin-sdk')
    const backend = await createWasmBackend(config.parse({ wasm: path }), { name: 'test', folder: '/', log: silentLog })
    const client = await openBackend(backend)
    await client.close()
    await backend.close()
    await expect(openBackend(backend)).rejects.toThrow('Backend "test" is closed')
  })

  it('nothing of one call is left in the memory of the next', async () => {
    const metadata = { ...plainTool, inputSchema: { type: 'object', properties: { secret: { type: 'string' } } } }
    // Keeps its arguments at address 4096 when there are any, and answers whether something is there.
    const call = `(local.set $n (i32.load (i32.const 4096)))
      (drop (call $input)) (call $take (i32.const 4096))
      (if (local.get $n) (then unreachable)) ${giveText}`
    const client = await open({ metadata, call }, answer, { threads: 1 })
    for (let index = 0; index < 5; index += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await expect(client.callTool('tool', { secret: `s${index}` })).resolves.toHaveProperty('content')
    }
  })
})

describe('a file that changes', () => {
  const named = (name: string): Promise<Uint8Array> => buildWat({ metadata: { ...plainTool, name } }, answer)

  it('its tools are replaced, and clients are told', async () => {
    const path = writeModule(await named('one'))
    const client = await openFile(path)
    writeFileSync(`${path}.new`, await named('two'))
    renameSync(`${path}.new`, path)
    await eventually(async () => expect((await client.listTools()).map(({ name }) => name)).toEqual(['two']))
    expect(client.notifications).toMatchObject([{ method: 'notifications/tools/list_changed' }])
    expect(await client.callTool('two')).toMatchObject({ content: [{ text: 'Hello' }] })
  })

  it('a change that cannot be used, or a file that is gone, leaves the earlier module in use', async () => {
    const path = writeModule(await named('one'))
    const client = await openFile(path)
    writeFileSync(path, 'nothing to load')
    writeFileSync(`${path}.new`, await named('two'))
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(await client.callTool('one')).toMatchObject({ content: [{ text: 'Hello' }] })
    renameSync(`${path}.new`, path)
    await eventually(async () => expect((await client.listTools()).map(({ name }) => name)).toEqual(['two']))
  })
})
