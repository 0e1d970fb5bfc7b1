import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import type { Scenario } from '../scenario.ts'
import type { Inspector } from './inspector.ts'
import { demo } from './loud.ts'
import { type ProcessScene, withProcess } from './with-process.ts'

const pieces = 1_000_000
/** The number of pieces between two measurements of the memory; the reader pauses after each. */
const stretch = 50_000
/** The largest live memory for the stream, in bytes: a tenth of its size. */
const mostHeap = 8 * 1024 * 1024

const ask = JSON.stringify({
  jsonrpc: '3.0',
  id: 1,
  method: 'listen.logs',
  params: { entries: pieces, everyMs: 0 },
  options: { stream: true },
})

/** A stream of JSON-RPC 3.0 that is much longer than its buffer, read with pauses. */
export const longStream: Scenario = {
  id: 'F-14',
  title: 'a million pieces to a reader that rests',
  ways: ['http', 'stdio'],
  heavy: true,
  // A million pieces take longer than the default deadline on a busy machine.
  run: (way) =>
    withProcess(way, { timeout: '10m', backends: { demo } }, async (scene) =>
      read(scene, await openStream(way, scene)),
    ),
}

async function openStream(way: 'http' | 'stdio', { gateway }: ProcessScene): Promise<Readable> {
  if (way === 'http') {
    const headers = { accept: 'application/json, application/x-ndjson', 'content-type': 'application/json' }
    const asking = request(gateway.url, { method: 'POST', headers }).end(ask)
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    return response
  }
  const input: Writable = gateway.child.stdin
  input.write(`${ask}\n`)
  return gateway.child.stdout
}

async function read({ gateway: { inspector } }: ProcessScene, stream: Readable): Promise<string> {
  const began = performance.now()
  const before = await inspector.heap()
  let most = 0
  let number = 0
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = JSON.parse(line) as { stream: { data?: string }; result?: unknown }
      if (message.stream.data === undefined) {
        assert.equal(message.result, 'End of logs', `The stream ended after ${number} pieces: ${line}`)
        assert.equal(number, pieces)
        const seconds = (performance.now() - began) / 1000
        return `${pieces} pieces in order in ${seconds.toFixed(1)} s, at most ${(most / 1024 / 1024).toFixed(1)} MiB kept`
      }
      number += 1
      assert.equal(message.stream.data, `Log entry ${number}`)
      if (number % stretch === 0) most = Math.max(most, await atRest(inspector, before))
    }
  }
  throw new Error(`Expected the end of the stream, got the end of its connection after ${number} pieces`)
}

/** Measures the buffered bytes while the stream is not read. */
async function atRest(inspector: Inspector, before: number): Promise<number> {
  await delay(100)
  const kept = (await inspector.heap()) - before
  assert.ok(kept < mostHeap, `${kept} bytes are kept for a reader that rests`)
  return kept
}
