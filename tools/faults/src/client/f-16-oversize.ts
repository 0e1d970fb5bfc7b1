import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { demo, loud } from './loud.ts'
import { openSession } from './peer/create-peer.ts'
import type { Peer } from './peer/peer.ts'
import { openSocket, requestText } from './raw-socket.ts'
import { until } from './until.ts'
import { type ProcessScene, withProcess } from './with-process.ts'

const MiB = 1024 * 1024

/**
 * The largest growth of memory for an endless stream of bytes: nothing of it is buffered, but it is garbage for a
 * moment. In bytes.
 */
const mostGrowth = 128 * MiB

/** The largest cost of deep and long messages, in milliseconds of processor time: they are refused without parsing. */
const mostCpuMs = 50

/** Messages that are too large in every possible way, and a backend with a very large list. */
export const oversize: Scenario = {
  id: 'F-16',
  title: 'messages of 200 MB, batches of 10,000, depth 10,000, 99,000 tools',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way) =>
    withProcess(way, { backends: { demo, loud: loud({ tools: 99_000 }) } }, async (scene) => {
      const { gateway } = scene
      const peer = scene.connect()
      // Only this revision has batches.
      await openSession(peer, 'peer', '2025-03-26')
      // Also ends the work of the start, so that it is not measured below.
      let nextCursor: unknown
      const listed = await gateway.inspector.cost(async () => {
        const { result } = await peer.request('tools/list')
        nextCursor = (result as { nextCursor?: unknown }).nextCursor
      })
      assert.ok(nextCursor !== undefined)
      const rss = gateway.rss()

      const flood = way === 'http' ? await endlessBody(scene) : await endlessLine(peer)
      // The rest of the refused input is still being skipped.
      await peer.request('ping')
      const grown = gateway.rss() - rss
      assert.ok(grown < mostGrowth, `${grown} bytes more memory after ${flood} bytes`)

      const deep = await costOf(scene, peer, nested(10_000), -32600)
      const deepest = await costOf(scene, peer, nested(1_000_000), -32600)
      const batch = await costOf(scene, peer, `[${Array.from({ length: 10_000 }, () => ping(1)).join(',')}]`, -32600)
      const long = await costOf(scene, peer, `{"jsonrpc":"2.0","id":"${'i'.repeat(100_000)}","method":"ping"}`, -32600)
      assert.deepEqual((await peer.request('ping'))['result'], {})
      return [
        `${flood / MiB} MiB refused with ${(grown / MiB).toFixed(0)} MiB more memory`,
        `depth 10,000 in ${deep.toFixed(0)} ms of processor, depth 1,000,000 in ${deepest.toFixed(0)}`,
        `batch of 10,000 in ${batch.toFixed(0)}`,
        `id of 100,000 characters in ${long.toFixed(0)}`,
        `99,000 tools listed with a pause of ${listed.pauseMs.toFixed(0)} ms`,
      ].join('; ')
    }),
}

const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`

function nested(depth: number): string {
  return `{"jsonrpc":"2.0","id":"deep","method":"ping","params":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`
}

/** The answer to a frame. */
async function refusal(peer: Peer, frame: string): Promise<{ code?: number; frame: string }> {
  const before = peer.frames.length
  await peer.send(frame)
  await until('an answer', () => peer.frames.length > before)
  const answer = peer.frames.at(-1) as string
  const { error } = JSON.parse(answer) as { error?: { code: number } }
  return { ...(error && { code: error.code }), frame: answer }
}

/**
 * The compiler and the garbage collector run in the same process at any time, so the best of several attempts counts.
 */
const attempts = 5

async function costOf({ gateway }: ProcessScene, peer: Peer, frame: string, code: number): Promise<number> {
  let best = Infinity
  for (let attempt = 0; attempt < attempts && best >= mostCpuMs; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const { cpuMs } = await gateway.inspector.cost(async () => {
      const refused = await refusal(peer, frame)
      assert.equal(refused.code, code, refused.frame)
    })
    best = Math.min(best, cpuMs)
  }
  assert.ok(best < mostCpuMs, `${frame.slice(0, 60)} took ${best} ms of processor time`)
  return best
}

const piece = 'x'.repeat(64 * 1024)
const pieces = 3_200

/** Sends a body without a declared length. Returns the number of sent bytes. */
async function endlessBody({ gateway }: ProcessScene): Promise<number> {
  const socket = await openSocket(gateway.url)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  socket.write(requestText(gateway.url, 'POST', { ...headers, 'transfer-encoding': 'chunked' }))
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`
  let sent = 0
  for (let count = 0; count < pieces && !socket.socket.destroyed; count += 1) {
    sent += piece.length
    // oxlint-disable-next-line no-await-in-loop
    if (!socket.socket.write(chunk)) await Promise.race([drained(socket.socket), socket.closed])
  }
  await until('a refusal of the body', () => socket.received().startsWith('HTTP/1.1 413 '))
  socket.socket.destroy()
  // A body with a declared length is refused before it is sent.
  const declared = await openSocket(gateway.url)
  declared.write(requestText(gateway.url, 'POST', { ...headers, 'content-length': String(100 * MiB) }))
  await until('a refusal of the length', () => declared.received().startsWith('HTTP/1.1 413 '))
  declared.socket.destroy()
  return sent
}

/** Sends a very long line. Returns the number of sent bytes. */
async function endlessLine(peer: Peer): Promise<number> {
  const frame = Buffer.alloc(pieces * piece.length, piece)
  const refused = await refusal(peer, frame.toString('latin1'))
  assert.equal(refused.code, -32600, refused.frame)
  return frame.length
}

function drained(socket: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => socket.once('drain', resolve))
}
