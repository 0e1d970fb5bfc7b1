import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually, listDescendants, untilGone } from '@junctor/testkit'
import { chora, pythonTimeoutMs } from '../src/chora.ts'
import { lean } from '../src/in-gateway.ts'
import { errorOf, textOf } from '../src/result-of.ts'
import { typeInto, type TypedCommand } from '../src/typed-command.ts'
import { verifies } from '../src/verifies.ts'

// The profile `n8n`, typed into the real command as its document shows it, in front of a real backend in Python.

const here = { ways: ['stdio'], revisions: ['2024-11-05'] } as const

const initialize =
  '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "claude-desktop", "version": "1.0.0"}}}'
const initialized = '{"jsonrpc": "2.0", "method": "initialized"}'
const listTools = '{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}'
const callStatus =
  '{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "gateway_status", "arguments": {}}}'
const callGenerators =
  '{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "chora:list_generators", "arguments": {}}}'

const callEvents =
  '{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "get_events", "arguments": {"event_type": "gateway.started", "limit": 1}}}'

const opened = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'mcp-n8n', version: '0.4.0' },
  },
}
const status =
  '{"gateway": {"name": "mcp-n8n", "version": "0.4.0", "config": {"log_level": "INFO", "debug": false, "backend_timeout": 30}}, "backends": {"chora-composer": {"status": "running", "namespace": "chora", "tool_count": 4}}}'
const generators = '{"generators": [{"id": "python_script", "name": "Python Script", "category": "code"}]}'
const startedEvents =
  /^\[\{"timestamp": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", "trace_id": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "status": "success", "event_type": "gateway\.started", "source": "mcp-n8n"\}\]$/
const gatewayTools = ['gateway_status', 'get_events']
const backendTools = ['chora:generate_content', 'chora:list_generators', 'chora:wait', 'chora:bare_result']

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-n8n-'))
  await chora()
}, pythonTimeoutMs)
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts the command with the document's only backend. */
async function start(env: Readonly<Record<string, string>> = {}, words: readonly string[] = []): Promise<TypedCommand> {
  const file = join(folder, `${crypto.randomUUID()}.json`)
  const server = { name: 'mcp-n8n', version: '0.4.0' }
  writeFileSync(file, JSON.stringify({ profile: 'n8n', server, backends: { 'chora-composer': await chora(env) } }))
  return typeInto(file, words)
}

/** The same, after its handshake. */
async function open(env?: Readonly<Record<string, string>>, words?: readonly string[]): Promise<TypedCommand> {
  const gateway = await start(env, words)
  await gateway.ask(initialize)
  gateway.type(`${initialized}\n`)
  return gateway
}

/** A call of a tool, as a line. */
function call(id: number | string, name: string, args: JsonObject = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
}

function messagesIn(output: string): readonly JsonObject[] {
  expect(output.endsWith('\n')).toBe(true)
  return output
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)
}

const namesOf = ({ result }: JsonObject): readonly string[] =>
  (result as unknown as { tools: readonly { name: string }[] }).tools.map(({ name }) => name)

const idsIn = (output: string): readonly unknown[] => messagesIn(output).map(({ id }) => id)

/** The standard error of the backend, from the gateway's log. */
const stderrIn = (log: string): readonly string[] =>
  log.split('\n').flatMap((line) => (line.includes('"line":') ? [(JSON.parse(line) as { line: string }).line] : []))

verifies(['A-1', 'A-12'], here, async () => {
  const gateway = await open({}, ['--log-level', 'debug'])
  await gateway.ask(listTools)
  const children = listDescendants(gateway.pid)
  expect(children.filter(({ command }) => command.includes('chora_compose.mcp.server')).length).toBeGreaterThan(0)
  await gateway.ask(callGenerators)
  const { output, code } = await gateway.end()
  // One line for each request and nothing else, regardless of the log and of the backend's output.
  expect(idsIn(output)).toEqual([1, 2, 4])
  expect(gateway.log).toContain('"level":"debug"')
  expect(stderrIn(gateway.log)).toEqual([expect.stringContaining('calling list_generators')])
  // The client is gone, so the gateway and its backends end.
  expect(code).toBe(0)
  await untilGone(children)
})

verifies('A-20', here, async () => {
  const server = { name: 'mcp-n8n', version: '0.4.0' }
  const isReady = join(folder, crypto.randomUUID())
  const file = `${isReady}.json`
  const backends = { slow: lean({ waitsFor: isReady }), quick: lean() }
  writeFileSync(file, JSON.stringify({ profile: 'n8n', server, backends }))
  const gateway = typeInto(file)
  await gateway.ask('{"jsonrpc": "2.0", "id": 0, "method": "ping"}')
  const began = performance.now()
  expect(await gateway.ask(initialize)).toEqual(opened)
  // A client that waits for an answer would have waited for the backend.
  expect(performance.now() - began).toBeLessThan(20_000)
  gateway.type(`${initialized}\n`)
  const listed = gateway.ask(listTools)
  writeFileSync(isReady, '')
  expect(namesOf(await listed)).toEqual(expect.arrayContaining(['slow:echo', 'quick:echo']))
  await gateway.end()
})

verifies('A-20', here, async () => {
  const server = { name: 'mcp-n8n', version: '0.4.0' }
  const isReady = join(folder, crypto.randomUUID())
  const file = `${isReady}.json`
  const backends = { slow: lean({ waitsFor: isReady }), quick: lean() }
  writeFileSync(file, JSON.stringify({ profile: 'n8n', server, backends, limits: { startWait: '100ms' } }))
  const gateway = typeInto(file)
  await gateway.ask(initialize)
  gateway.type(`${initialized}\n`)
  expect(namesOf(await gateway.ask(listTools))).not.toContain('slow:echo')
  writeFileSync(isReady, '')
  let id = 10
  await eventually(async () => {
    const list = JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method: 'tools/list' })
    expect(namesOf(await gateway.ask(list))).toContain('slow:echo')
  })
  await gateway.end()
})

verifies('A-13', here, async () => {
  const gateway = await start()
  expect(await gateway.ask(initialize)).toEqual(opened)
  gateway.type(`${initialized}\n`)
  expect(namesOf(await gateway.ask(listTools))).toEqual([...gatewayTools, ...backendTools])
  expect(await gateway.ask(callStatus)).toEqual({
    jsonrpc: '2.0',
    id: 3,
    result: { content: [{ type: 'text', text: status }] },
  })
  expect(await gateway.ask(callGenerators)).toEqual({
    jsonrpc: '2.0',
    id: 4,
    result: { content: [{ type: 'text', text: generators }] },
  })
  const events = await gateway.ask(callEvents)
  const text = textOf(events)
  expect(events).toEqual({ jsonrpc: '2.0', id: 5, result: { content: [{ type: 'text', text }] } })
  // The document's line, except for the time and the id.
  expect(text).toMatch(startedEvents)
  const { output, code } = await gateway.end()
  expect([idsIn(output), code]).toEqual([[1, 2, 3, 4, 5], 0])
})

verifies('A-16', here, async () => {
  const gateway = await start()
  const test = initialize.replace('"claude-desktop", "version": "1.0.0"', '"test", "version": "1.0"')
  expect(await gateway.ask(test)).toEqual(opened)
  gateway.type(`${initialized}\n`)
  expect(namesOf(await gateway.ask(listTools))).toEqual([...gatewayTools, ...backendTools])
  expect(textOf(await gateway.ask(callStatus))).toBe(status)
  // Ctrl+D
  const { output, code } = await gateway.end()
  expect([idsIn(output), code]).toEqual([[1, 2, 3], 0])
})

verifies(['A-2', 'A-3', 'A-7'], here, async () => {
  const gateway = await open()
  gateway.type('{"jsonrpc": "2.0", "id": 5, "method": "unknown_method"}\n')
  gateway.type(`${call(3, 'unknown_tool')}\n`)
  gateway.type(`${call('far', 'chora:unknown_tool')}\n`)
  gateway.type('{"jsonrpc": "2.0"\n')
  const { output } = await gateway.end()
  // Exactly these texts, with only code and message.
  expect(output.split('\n').slice(1).toSorted()).toEqual(
    [
      '',
      '{"jsonrpc":"2.0","id":"far","error":{"code":-32601,"message":"Tool not found: chora:unknown_tool"}}',
      '{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Tool not found: unknown_tool"}}',
      '{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found: unknown_method"}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ].toSorted(),
  )
})

verifies('A-3', here, async () => {
  const gateway = await open()
  const codeOf = async (line: string): Promise<number> => errorOf(await gateway.ask(line)).code
  const fails = (code: number): string =>
    call(`own ${code}`, 'chora:generate_content', { generator_id: 'failing', variables: { code } })
  expect(await codeOf('{"jsonrpc": "1.0", "id": "a", "method": "ping"}')).toBe(-32600)
  expect(await codeOf('{"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": {}}')).toBe(-32602)
  // A backend's error passes if the document has its code; else it becomes a server error with the backend's message.
  for (const code of [-32600, -32601, -32602, -32603, -32000]) expect(await codeOf(fails(code))).toBe(code)
  for (const code of [-32001, -32002, -32010, -31999, 1]) {
    expect(await gateway.ask(fails(code))).toMatchObject({ error: { code: -32000, message: 'its own words' } })
  }
  await gateway.end()
})

verifies('A-14', here, async () => {
  const gateway = await open()
  const args = { generator_id: 'python_script', variables: { script_name: 'hello' } }
  const made = await gateway.ask(call(4, 'chora:generate_content', args))
  expect(JSON.parse(textOf(made))).toEqual({ content: "print('hello')", generator: 'python_script' })
  // The backend got its own name of the tool, without the namespace.
  await expect.poll(() => stderrIn(gateway.log)).toEqual([expect.stringMatching(/^calling generate_content with/)])
  const bare = await gateway.ask(call(5, 'chora:bare_result'))
  expect(bare).toEqual({ jsonrpc: '2.0', id: 5, result: { content: [{ type: 'text', text: '{"answer":42}' }] } })
  // Neither the namespace alone nor the backend's name works.
  for (const name of ['generate_content', 'chora-composer:generate_content', 'chora__generate_content', 'chora:']) {
    expect(errorOf(await gateway.ask(call(name, name)))).toEqual({ code: -32601, message: `Tool not found: ${name}` })
  }
  await gateway.end()
})

verifies('A-15', here, async () => {
  process.env['CHORA_SECRET'] = 'not for children'
  const gateway = await open()
  delete process.env['CHORA_SECRET']
  const environment = JSON.parse(
    textOf(await gateway.ask(call(4, 'chora:generate_content', { generator_id: 'environment' }))),
  ) as Record<string, string>
  for (const name of ['PATH', 'HOME', 'LANG', 'TMPDIR']) expect(environment[name]).toBe(process.env[name])
  expect(environment['PYTHONDONTWRITEBYTECODE']).toBe('1')
  expect(Object.values(environment)).not.toContain('not for children')
  await gateway.end()
})

verifies('A-17', here, async () => {
  const gateway = await open()
  // Sequential calls, successful or not: each is answered, and none affects the next.
  for (let count = 0; count < 5; count += 1) {
    expect(textOf(await gateway.ask(call(`good ${count}`, 'chora:list_generators')))).toBe(generators)
    expect(errorOf(await gateway.ask(call(`bad ${count}`, 'chora:generate_content'))).code).toBe(-32000)
  }
  expect(textOf(await gateway.ask(callStatus))).toBe(status)
  await gateway.end()
})

verifies('A-17', here, async () => {
  // A backend that cannot start affects neither the handshake nor the gateway's own tools.
  const gateway = await open({ CHORA_START_SECONDS: 'never' })
  expect(namesOf(await gateway.ask(listTools))).toEqual(gatewayTools)
  expect(JSON.parse(textOf(await gateway.ask(callStatus)))).toMatchObject({
    backends: { 'chora-composer': { status: 'failed', namespace: 'chora', tool_count: 0 } },
  })
  expect(errorOf(await gateway.ask(callGenerators))).toMatchObject({
    code: -32000,
    data: { reason: 'backend_unavailable', backend: 'chora-composer' },
  })
  expect((await gateway.end()).code).toBe(0)
})

/** A whole session, with a slow call. */
const session = [
  initialize,
  initialized,
  listTools,
  call('slow', 'chora:wait', { seconds: 1 }),
  callGenerators,
  callStatus,
]

verifies('A-18', here, async () => {
  // Before the backend has started, without a last newline, and then the end of the input.
  const gateway = await start({ CHORA_START_SECONDS: '1' })
  gateway.type(session.join('\n'))
  const { output, code } = await gateway.end()
  expect(code).toBe(0)
  const answers = new Map(messagesIn(output).map((message) => [message['id'], message]))
  expect(new Set(answers.keys())).toEqual(new Set([1, 2, 3, 4, 'slow']))
  expect(answers.size).toBe(idsIn(output).length)
  expect(namesOf(answers.get(2) ?? {})).toEqual([...gatewayTools, ...backendTools])
  expect(textOf(answers.get('slow') ?? {})).toBe('{"waited": 1}')
  expect(textOf(answers.get(4) ?? {})).toBe(generators)
  expect(textOf(answers.get(3) ?? {})).toBe(status)
})

verifies('A-18', here, async () => {
  // Windows line ends, empty lines, lines split anywhere, several lines in one write.
  const gateway = await start()
  const text = Buffer.from(`\r\n\n${session.join('\r\n\r\n')}\r\n`)
  for (let at = 0; at < text.length; at += 97) {
    gateway.type(text.subarray(at, at + 97))
    await new Promise(setImmediate)
  }
  gateway.type(`${call('one', 'chora:list_generators')}\n${call('two', 'get_events')}\n`)
  const { output, code } = await gateway.end()
  expect(idsIn(output)).toHaveLength(7)
  expect([new Set(idsIn(output)), code]).toEqual([new Set([1, 2, 3, 4, 'one', 'slow', 'two']), 0])
})
