import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type JunctorProcess, processTimeout, startJunctor } from './junctor-process.ts'
import { eventually } from '@junctor/testkit'

// The example conversations of JSON-RPC 3.0, section 11, with the methods of the demo. Its answers have the form of
// section 6.

let folder: string
let config: string
let junctor: JunctorProcess

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-three-'))
  config = join(folder, 'junctor.yaml')
  writeFileSync(config, 'listen: { http: { port: 0 } }\nbackends: { demo: { plugin: "@junctor/plugin-demo" } }\n')
})

afterEach(async () => {
  junctor.child.kill('SIGKILL')
  await junctor.ended()
  rmSync(folder, { recursive: true })
})

const logs = { stream: { id: 2 } }
const three = (message: object): object => ({ jsonrpc: '3.0', ...message })
const cancelled = three({
  ...logs,
  error: expect.objectContaining({
    code: -32_800,
    title: expect.any(String) as string,
    message: 'Request cancelled by client.',
  }) as object,
})
const task = '{"jsonrpc": "3.0", "method": "start.longTask", "params": {}, "id": 3}'
const forever =
  '{"jsonrpc": "3.0", "method": "listen.logs", "params": {"forever": true}, "id": 2, "options": {"stream": true}}'

describe('on standard input and output, without `initialize`', () => {
  /** All output, one object per line. */
  const seen = (): readonly object[] =>
    junctor
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object)
  /** All output, as soon as it has this many lines. */
  async function seenAll(count: number): Promise<readonly object[]> {
    await eventually(() => expect(seen().length).toBeGreaterThanOrEqual(count), processTimeout.timeout)
    return seen()
  }
  const say = (...lines: readonly string[]): void => void junctor.child.stdin.write(`${lines.join('\n')}\n`)

  async function agree(extension: string): Promise<object> {
    say(`{"jsonrpc": "3.0", "method": "rpc.extensions", "params": {"extensions": ["${extension}"]}, "id": 0}`)
    const agreed = three({ result: { extensions: [extension] }, id: 0 })
    expect(await seenAll(1)).toEqual([agreed])
    return agreed
  }

  beforeEach(() => {
    junctor = startJunctor(['serve', '--stdio', '--config', config], { folder })
  })

  test('11.1.1 requests and responses', async () => {
    say('{"jsonrpc": "3.0", "method": "add", "params": [1, 2], "id": 1}')
    expect(await seenAll(1)).toEqual([three({ result: 3, id: 1 })])
    say(
      '{"jsonrpc": "3.0", "method": "add", "params": [5, 4], "id": 2}',
      '{"jsonrpc": "3.0", "method": "none", "id": 3}',
    )
    const notFound = { code: -32_601, title: 'Method Not Found' }
    expect(await seenAll(3)).toEqual([
      three({ result: 3, id: 1 }),
      three({ result: 9, id: 2 }),
      three({ id: 3, error: expect.objectContaining(notFound) as object }),
    ])
    junctor.child.stdin.end()
    expect(await junctor.ended()).toBe(0)
  })

  test('11.2 a stream, and the same without one', async () => {
    say('{"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}')
    const stream = [
      three({ stream: { id: 2, data: 'Log entry 1' } }),
      three({ stream: { id: 2, data: 'Log entry 2' } }),
      three({ ...logs, result: 'End of logs' }),
    ]
    expect(await seenAll(3)).toEqual(stream)
    say('{"jsonrpc": "2.0", "method": "listen.logs", "params": {}, "id": 3}')
    const result = { chunks: ['Log entry 1', 'Log entry 2'], result: 'End of logs' }
    expect(await seenAll(4)).toEqual([...stream, { jsonrpc: '2.0', id: 3, result }])
  })

  test('11.2.1 two streams at once', async () => {
    say(
      '{"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}',
      '{"jsonrpc": "3.0", "method": "listen.errors", "params": {}, "id": 5, "options": {"stream": true}}',
    )
    await eventually(() => expect(seen()).toHaveLength(6), processTimeout.timeout)
    expect(seen().filter((message) => JSON.stringify(message).includes('"id":5'))).toEqual([
      three({ stream: { id: 5, data: 'Err entry 1' } }),
      three({ stream: { id: 5, data: 'Err entry 2' } }),
      three({ stream: { id: 5 }, result: 'End of errors' }),
    ])
  })

  test('11.3 an acknowledgement', async () => {
    say(task)
    expect(await seenAll(2)).toEqual([three({ ack: {}, id: 3 }), three({ result: 'Task completed', id: 3 })])
  })

  test('11.3.1 with progress, where it was negotiated', async () => {
    const agreed = await agree('progress')
    say(task)
    expect(await seenAll(5)).toEqual([
      agreed,
      three({ ack: {}, id: 3 }),
      three({ ack: { progress: 10, total: 20 }, id: 3 }),
      three({ ack: { progress: 20, total: 20 }, id: 3 }),
      three({ result: 'Task completed', id: 3 }),
    ])
  })

  test.each([
    '{"jsonrpc": "3.0", "method": "request.cancel", "params": {"stream": 2, "abort": true}}',
    '{"jsonrpc": "3.0", "method": "request.cancel", "params": {"stream": true, "id": 2}}',
  ])('11.4 an abort: %s', async (abort) => {
    say(forever)
    await eventually(() => expect(seen().length).toBeGreaterThanOrEqual(2), processTimeout.timeout)
    say(abort)
    await eventually(() => expect(seen().at(-1)).toEqual(cancelled), processTimeout.timeout)
    const { length } = seen()
    // The answer to a later request shows that the stream sends no more.
    say('{"jsonrpc": "3.0", "method": "start.longTask", "params": {}, "id": 3}')
    await eventually(() => expect(seen().slice(length)).toHaveLength(2), processTimeout.timeout)
    expect(seen().at(-1)).toEqual(three({ result: 'Task completed', id: 3 }))
  })

  test('11.4.1 an abort as a notification, where it was negotiated', async () => {
    await agree('abort')
    say(forever)
    await eventually(() => expect(seen().length).toBeGreaterThanOrEqual(3), processTimeout.timeout)
    say('{"jsonrpc": "3.0", "options": {"stream": 2, "abort": true}}')
    await eventually(() => expect(seen().at(-1)).toEqual(cancelled), processTimeout.timeout)
  })

  test('all of MCP, in the version of each message', async () => {
    const call = { method: 'tools/call', params: { name: 'demo__add', arguments: { a: 2, b: 3 } } }
    say(JSON.stringify(three({ id: 'a', ...call })), JSON.stringify({ jsonrpc: '2.0', id: 'b', ...call }))
    const result = { content: [{ type: 'text', text: '{"sum":5}' }], structuredContent: { sum: 5 } }
    await eventually(() => expect(seen()).toHaveLength(2), processTimeout.timeout)
    expect(seen()).toEqual(expect.arrayContaining([three({ id: 'a', result }), { jsonrpc: '2.0', id: 'b', result }]))
  })
})

describe('over HTTP, without a session', () => {
  test.each([
    ['text/event-stream', /^data: (.+)$/gm],
    ['application/x-ndjson', /^(\{.+)$/gm],
  ])('a stream is %s', async (type, message) => {
    junctor = startJunctor(['serve', '--config', config], { folder })
    const url = await junctor.line(/^Ready on (http:\S+)$/m)
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: `application/json, ${type}` },
      body: '{"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}',
    })
    expect(response.headers.get('content-type')).toContain(type)
    expect(response.headers.get('mcp-session-id')).toBeNull()
    const messages = [...(await response.text()).matchAll(message)].map(([, text = '']) => JSON.parse(text) as object)
    expect(messages).toEqual([
      three({ stream: { id: 2, data: 'Log entry 1' } }),
      three({ stream: { id: 2, data: 'Log entry 2' } }),
      three({ ...logs, result: 'End of logs' }),
    ])
  })
})
