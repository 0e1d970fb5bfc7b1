import { PassThrough } from 'node:stream'
import { silentLog } from '@junctor/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSampleFront, type SampleFront } from '@junctor/testkit'
import { serveStdio, type StdioServer } from './serve-stdio.ts'

// JSON-RPC 3.0 on standard input and output.

/** A timeout for a busy machine. */
const pollTimeout = { timeout: 5_000, interval: 5 }

let front: SampleFront
let input: PassThrough
let server: StdioServer
let lines: string[]

beforeEach(() => {
  front = createSampleFront()
  input = new PassThrough()
  const output = new PassThrough()
  lines = []
  output.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trimEnd().split('\n')))
  server = serveStdio({ front, input, output, log: silentLog })
})

afterEach(async () => {
  await server.close()
})

const received = (): readonly string[] => lines
const two = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"echo"}`
const three = (id: number): string => `{"jsonrpc":"3.0","id":${id},"method":"echo"}`
const echoResult = (id: number): string => `{"jsonrpc":"3.0","id":${id},"result":{"method":"echo"}}`
const opened = '{"jsonrpc":"2.0","method":"opened"}'

test('needs no `initialize`: its first request opens the session', async () => {
  input.write(`${three(1)}\n${three(2)}\n`)
  await expect.poll(received, pollTimeout).toEqual([echoResult(1), opened, echoResult(2)])
  input.end()
  await expect.poll(() => front.ended, pollTimeout).toEqual(['disconnected'])
})

test('has batches at any time, also as the first message', async () => {
  input.write(`[1,${three(1)},${three(2)}]\n`)
  await expect.poll(received, pollTimeout).toEqual([opened, expect.any(String)])
  const answers = JSON.parse(lines[1] ?? '') as unknown
  expect(answers).toEqual([
    expect.objectContaining({ jsonrpc: '3.0', error: expect.objectContaining({ code: -32600 }) }),
    JSON.parse(echoResult(1)),
    JSON.parse(echoResult(2)),
  ])
})

test('unreadable input is refused in 3.0 while the client uses it', async () => {
  input.write('{"jsonrpc":"2.0","id":0,"method":"initialize"}\n')
  await expect.poll(() => lines.splice(0).at(-1), pollTimeout).toBe(opened)
  const refused = (jsonrpc: string): unknown =>
    expect.toSatisfy((line: string) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === jsonrpc)
  input.write(`${three(1)}\nnonsense\n`)
  await expect.poll(received, pollTimeout).toEqual([echoResult(1), refused('3.0')])
  lines.length = 0
  input.write(Buffer.from([0xff, 0x0a]))
  await expect.poll(received, pollTimeout).toEqual([refused('3.0')])
  lines.length = 0
  input.write(`${two(2)}\nnonsense\n[${three(3)},${two(4)}]\n`)
  await expect
    .poll(received, pollTimeout)
    .toEqual(['{"jsonrpc":"2.0","id":2,"result":{"method":"echo"}}', refused('2.0'), refused('3.0')])
  lines.length = 0
  input.write(`[${two(5)}]\n`)
  await expect.poll(received, pollTimeout).toEqual([refused('2.0')])
})
