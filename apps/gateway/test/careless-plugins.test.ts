import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { eventually, replyIn } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Errors of plugins affect only their own calls. An uncaught error of the node itself ends the node in an orderly way.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

interface Started {
  readonly child: ChildProcess
  readonly http: string
  readonly admin: string
  readonly errors: () => string
}

const program = fileURLToPath(new URL('careless-gateway.ts', import.meta.url))

async function start(): Promise<Started> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, errors: () => errors, ...(JSON.parse(line) as { http: string; admin: string }) }
}

let gateway: Started
beforeAll(async () => {
  gateway = await start()
})
afterAll(() => {
  gateway.child.kill('SIGKILL')
})

interface Answer {
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean }
  readonly error?: { readonly code: number; readonly data?: { readonly reason?: string } }
}

/** A call without a session, as JSON-RPC 3.0 defines it. */
async function call({ http }: Started, name: string, args: object = {}): Promise<Answer> {
  const response = await fetch(http, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '3.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    signal: AbortSignal.timeout(20_000),
  })
  return replyIn(await response.text())
}

async function counted(name: string, label: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', gateway.admin))).text()
  const row = text.split('\n').find((line) => line.startsWith(`${name}{`) && line.includes(label))
  return Number(row?.split(' ').at(-1) ?? 0)
}

const failures = (backend: string): Promise<number> => counted('mcp_plugin_failures_total', `"${backend}"`)

/** Another backend, and another call of the same backend, still work. */
async function expectAllWell(): Promise<void> {
  expect(await call(gateway, 'demo__echo', { message: 'well' })).toMatchObject({
    result: { content: [{ text: 'well' }] },
  })
  expect(gateway.child.exitCode).toBeNull()
}

test.each(['leaves_a_rejection', 'rejects_later', 'throws_in_a_timer', 'throws_in_an_immediate', 'emits_an_error'])(
  'a tool that %s is answered, and its error is counted for its backend',
  async (name) => {
    const before = await failures('careless')
    expect(await call(gateway, `careless__${name}`)).toMatchObject({ result: { content: [{ text: 'done' }] } })
    await eventually(async () => expect(await failures('careless')).toBe(before + 1))
    await expectAllWell()
  },
)

test.each(['throws_when_it_ends', 'throws_when_it_is_aborted'])('a tool that %s ends at its timeout', async (name) => {
  const before = await failures('careless')
  expect((await call(gateway, `careless__${name}`)).error?.data).toMatchObject({ reason: 'deadline_exceeded' })
  await eventually(async () => expect(await failures('careless')).toBe(before + 1))
  await expectAllWell()
})

test.each(['throws', 'rejects', 'sends_what_is_no_json', 'returns_nothing'])(
  'a tool that %s has failed',
  async (name) => {
    const { result } = await call(gateway, `careless__${name}`)
    expect(result?.isError).toBe(true)
    await expectAllWell()
  },
)

test('a stream that throws between its pieces is answered as failed', async () => {
  const response = await fetch(gateway.http, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '3.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'careless__throws_between_pieces' },
      options: { stream: true },
    }),
  })
  expect(await response.text()).toMatch(/isError|error/)
  await expectAllWell()
})

test.each([
  'throws',
  'rejects',
  'nothing',
  'null',
  'number',
  'later_nothing',
  'no_kind',
  'no_result',
  'no_error',
  'later_no_result',
])('a call whose link gives %s is an internal error', async (name) => {
  const { error } = await call(gateway, `raw__${name}`)
  expect(error?.data).toMatchObject({ reason: 'internal_error' })
  expect(JSON.stringify(error)).not.toContain('only the plugin knows')
  await expectAllWell()
})

test('an uncaught error of the node itself is logged once; the node answers open requests and exits with 1', async () => {
  const other = await start()
  const exited = once(other.child, 'exit')
  const slow = call(other, 'demo__slow', { ms: 700 })
  await eventually(async () => {
    const text = await (await fetch(new URL('/metrics', other.admin))).text()
    expect(text).toContain('mcp_inflight_requests{backend="demo"} 1')
  })
  other.child.kill('SIGUSR2')
  expect(await slow).toMatchObject({ result: { content: [{ text: 'Did nothing for 700 ms' }] } })
  expect(await exited).toEqual([1, null])
  expect(other.errors().match(/"where":"process"/g)).toHaveLength(1)
})

test('a second uncaught error ends the node immediately', async () => {
  const other = await start()
  const exited = once(other.child, 'exit')
  const slow = call(other, 'demo__slow', { ms: 20_000 }).catch(() => 'cut')
  await eventually(async () => {
    const text = await (await fetch(new URL('/metrics', other.admin))).text()
    expect(text).toContain('mcp_inflight_requests{backend="demo"} 1')
  })
  other.child.kill('SIGUSR2')
  await eventually(() => expect(other.errors()).toContain('this node ends'))
  other.child.kill('SIGUSR2')
  expect(await exited).toEqual([1, null])
  expect(await slow).toBe('cut')
})
