import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { listDescendants, untilGone } from '@junctor/testkit'
import { handshakeRevisions } from '../src/cell.ts'
import { startGateway } from '../src/gateway-under-test.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { createLogRecorder } from '../src/log-recorder.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { readLines } from '../src/read-lines.ts'
import { verifies } from '../src/verifies.ts'

const stdio = { ways: ['stdio'] } as const

const initialize = (revision: string): JsonObject => ({
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'pipes', version: '1' } },
})

const call = (id: string, name: string, args: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: { progressToken: id } },
})

/** Writes the lines and ends the input. Returns all output until the end of the session. */
async function talk(lines: readonly string[]): Promise<string> {
  const gateway = await startGateway({ nodes: 1, config: { backends: { demo: demo() } } })
  const { input, output, closed } = gateway.stdio()
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  input.end(lines.join('\n'))
  expect(await closed).toBeUndefined()
  await gateway.close()
  return text
}

verifies('MCP-3.1', { ways: ['stdio'], revisions: handshakeRevisions }, async ({ revision }) => {
  const message = 'two\nlines\r\nand more\u2028'
  const text = await talk([
    JSON.stringify(initialize(revision)),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    JSON.stringify(call('echo', 'demo__echo', { message })),
    JSON.stringify(call('steps', 'demo__progress', { steps: 2, delayMs: 1 })),
    // Without a newline at the end: the line is read anyway.
    JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' }),
  ])
  expect(text.endsWith('\n')).toBe(true)
  expect(text).not.toContain('\r')
  const messages = text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)
  const [first] = messages
  expect(first?.['id']).toBe('initialize')
  expect(messages.filter(({ method }) => method === 'notifications/progress')).toHaveLength(2)
  const ids = messages.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  expect(ids.toSorted()).toEqual(['echo', 'initialize', 'last', 'steps'])
  expect(textOf(messages.find(({ id }) => id === 'echo') ?? {})).toBe(message)
})

verifies('MCP-3.2', {}, async (cell) => {
  const { log, records } = createLogRecorder()
  const lines = () => records.filter(({ fields }) => fields['line'] === 'a line on stderr')
  await inGateway(
    cell,
    { lean: lean() },
    async ({ client }) => {
      const one = await client()
      const noise = (args: JsonObject) => one.request('tools/call', { name: 'lean__noise', arguments: args })
      await noise({})
      await expect.poll(lines).toMatchObject([{ level: 'info', fields: { backend: 'lean' } }])
      // A child that writes more than a pipe holds is read, so that it does not block; the log stays within its limits.
      expect(textOf(await noise({ lines: 10_000 }))).toBe('heard through the noise')
      expect(lines().length).toBeLessThan(1_000)
    },
    { log },
  )
})

verifies('MCP-3.3', {}, async (cell) => {
  const { log, records } = createLogRecorder()
  await inGateway(
    cell,
    { lean: lean() },
    async ({ client }) => {
      const one = await client()
      for (let count = 0; count < 3; count += 1) {
        const response = await one.request('tools/call', { name: 'lean__noise', arguments: {} })
        expect(textOf(response)).toBe('heard through the noise')
      }
      const skipped = records.filter(({ fields }) => fields['line'] === 'this is not JSON')
      expect(skipped).toHaveLength(3)
      expect(skipped[0]).toMatchObject({ level: 'warn', fields: { backend: 'lean' } })
      expect(JSON.stringify(one.received)).not.toContain('this is not JSON')
    },
    { log },
  )
})

/** A server whose texts are in Latin-1, as those of programs are that print in the charset of an old system. */
const latin = `
const inputSchema = { type: 'object' }
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'latin', version: '1' } },
  'tools/list': { tools: [{ name: 'greet', inputSchema }] },
  'tools/call': { content: [{ type: 'text', text: 'caf\u00e9' }] },
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  process.stdout.write(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }) + '\\n', 'latin1'))
})`

verifies('MCP-3.8', {}, async (cell) => {
  await inGateway(cell, { latin: { command: process.execPath, args: ['-e', latin] } }, async ({ client }) => {
    const one = await client()
    const { code, message, data } = errorOf(await one.request('tools/call', { name: 'latin__greet', arguments: {} }))
    expect({ code, data }).toMatchObject({ code: -32603, data: { reason: 'tool_failed', backend: 'latin' } })
    expect(message).toContain('Expected UTF-8, got other bytes')
  })
})

verifies('MCP-3.4', { ways: ['stdio'], revisions: handshakeRevisions }, async ({ revision }) => {
  const bad = ['{', 'hello', '{"jsonrpc":"2.0","id":1,"method":"ping"', '\u0000']
  const text = await talk([
    JSON.stringify(initialize(revision)),
    ...bad,
    '',
    JSON.stringify({ jsonrpc: '2.0', id: 'after', method: 'ping' }),
  ])
  const messages = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)
  const refused = messages.filter(({ error }) => error !== undefined)
  expect(refused.map((message) => errorOf(message).code)).toEqual(bad.map(() => -32700))
  expect(resultOf(messages.find(({ id }) => id === 'after') ?? {})).toEqual({})
})

verifies('MCP-3.5', stdio, async ({ revision }) => {
  const gateway = await startGateway({ nodes: 1, config: { backends: { demo: demo() } } })
  const { input, output, closed } = gateway.stdio()
  const count = 4_000
  const message = 'x'.repeat(2_000)
  input.write(`${JSON.stringify(initialize(revision))}\n`)
  for (let id = 0; id < count; id += 1) input.write(`${JSON.stringify(call(`${id}`, 'demo__echo', { message }))}\n`)
  // The client reads nothing: the gateway stops reading its messages, and keeps next to nothing for it.
  await expect.poll(() => input.isPaused() && output.writableNeedDrain).toBe(true)
  expect(output.writableLength + output.readableLength).toBeLessThan(1024 * 1024)
  expect(input.readableLength + input.writableLength).toBeGreaterThan(4 * 1024 * 1024)
  // When it reads again, nothing is lost.
  let lines = 0
  output.on('data', (chunk: Buffer) => {
    for (const byte of chunk) lines += Number(byte === 10)
  })
  input.end()
  expect(await closed).toBeUndefined()
  expect(lines).toBe(count + 1)
  await gateway.close()
})

verifies('REL-12', { ways: ['stdio'], revisions: ['2025-06-18', '2025-11-25'] }, async ({ revision }) => {
  const gateway = await startGateway({ nodes: 1, config: { backends: { demo: demo() } } })
  const { input, output, closed } = gateway.stdio()
  const opening = initialize(revision)
  const params = { ...(opening['params'] as JsonObject), capabilities: { elicitation: {} } }
  input.write(`${JSON.stringify({ ...opening, params })}\n`)
  const answers: JsonObject[] = []
  const reading = (async () => {
    for await (const line of readLines(output)) {
      const message = JSON.parse(line) as JsonObject
      answers.push(message)
      if (message['id'] === 'initialize') input.write(`${JSON.stringify(call('asks', 'demo__ask', {}))}\n`)
      // A second call asks after the end of the input.
      if (message['method'] === 'elicitation/create') input.end(`${JSON.stringify(call('late', 'demo__ask', {}))}\n`)
    }
  })()
  expect(await closed).toBeUndefined()
  output.end()
  await reading
  for (const id of ['asks', 'late']) expect(answers.map((message) => message['id'])).toContain(id)
  await gateway.close()
})

verifies('MCP-3.6', {}, async (cell) => {
  process.env['E2E_SECRET'] = 'not for children'
  await inGateway(
    cell,
    { lean: lean({}, { env: { OWN: 'of its own', TAKEN: '${env:E2E_SECRET}' } }), bare: lean({}, { env: {} }) },
    async ({ client }) => {
      const one = await client()
      const environmentOf = async (backend: string) =>
        JSON.parse(
          textOf(await one.request('tools/call', { name: `${backend}__environment`, arguments: {} })),
        ) as Readonly<Record<string, string>>
      expect(await environmentOf('lean')).toMatchObject({
        OWN: 'of its own',
        TAKEN: 'not for children',
        PATH: process.env['PATH'],
      })
      const bare = await environmentOf('bare')
      expect(Object.values(bare)).not.toContain('not for children')
      const places = /^(?:PATH|HOME|XDG_\w+|USER|LOGNAME|SHELL|TERM|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|JUNCTOR_CHILD)$/
      const network = /^(?:\w+_PROXY|NODE_EXTRA_CA_CERTS|\w*SSL_CERT_\w+|\w+_CA_BUNDLE|PIP_CERT|GIT_SSL_CAINFO)$/i
      expect(Object.keys(bare).filter((name) => !places.test(name) && !network.test(name))).toEqual([])
    },
  )
  delete process.env['E2E_SECRET']
})

verifies(['MCP-3.7', 'MCP-1.7'], stdio, async (cell) => {
  const gateway = await startGateway({
    nodes: 1,
    config: { backends: { lean: lean(), demo: demo() } },
  })
  const { input, output, closed } = gateway.stdio()
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  input.write(`${JSON.stringify(initialize(cell.revision))}\n`)
  await expect.poll(() => text).toContain('"initialize"')
  const before = new Set(listDescendants().map(({ pid }) => pid))
  input.write(`${JSON.stringify(call('first', 'lean__received', {}))}\n`)
  await expect.poll(() => text).toContain('"first"')
  const children = listDescendants().filter(({ pid, command }) => !before.has(pid) && command.includes('lean-server'))
  expect(children).toHaveLength(1)
  input.write(`${JSON.stringify(call('slow', 'demo__slow', { ms: 300 }))}\n`)
  input.end(`${JSON.stringify(call('echo', 'lean__echo', { kept: true }))}\n`)
  expect(await closed).toBeUndefined()
  await untilGone(children)
  const ids = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as JsonObject)['id'])
  expect(new Set(ids)).toEqual(new Set(['initialize', 'first', 'echo', 'slow']))
  await gateway.close()
})
