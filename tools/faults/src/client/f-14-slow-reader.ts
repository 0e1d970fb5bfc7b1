import assert from 'node:assert/strict'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Scenario } from '../scenario.ts'
import { demo, loud } from './loud.ts'
import { metric } from './metric.ts'
import { openSession } from './peer/create-peer.ts'
import type { Peer } from './peer/peer.ts'
import { openSocket, requestText } from './raw-socket.ts'
import { until } from './until.ts'
import { type ProcessScene, withProcess } from './with-process.ts'

/** The number of notifications in each flood: more than all buffers of the system hold. */
const count = 80_000
/** The largest live memory for one client that does not read, in bytes: less than half of the flood. */
const mostHeap = 8 * 1024 * 1024

/** A client that requests a flood and does not read it, on its session's stream and on that of a request. */
export const slowReader: Scenario = {
  id: 'F-14',
  title: 'a reader that does not read what it is sent',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way) =>
    withProcess(way, { backends: { demo, loud: loud() } }, (scene) =>
      way === 'http' ? slowStreams(scene) : slowPipe(scene),
    ),
}

const flood = (kind: string): JsonObject => ({
  name: 'loud__flood',
  arguments: { kind, count },
  _meta: { progressToken: 'flood' },
})

/** Two concurrent calls: messages other than progress belong to neither, so they go to the session's own stream. */
function floods(peer: Peer): Promise<readonly JsonObject[]> {
  return Promise.all([1, 2].map(() => peer.request('tools/call', flood('message'))))
}

async function slowStreams(scene: ProcessScene): Promise<string> {
  const { gateway } = scene
  const [peer, other] = [await scene.http(), await scene.http()]
  const headers = { 'mcp-session-id': peer.session ?? '', accept: 'application/json, text/event-stream' }
  await peer.request('tools/call', { name: 'loud__echo' })
  const before = await gateway.inspector.heap()

  const own = await openSocket(gateway.url)
  own.write(requestText(gateway.url, 'GET', headers))
  await until('a stream', () => own.received().includes('\r\n\r\n'))
  own.socket.pause()
  let over = false
  const done = floods(peer).finally(() => (over = true))
  const slowest = await slowestCall(other, () => over)
  await done
  const kept = (await gateway.inspector.heap()) - before
  assert.ok(kept < mostHeap, `${kept} bytes are kept for a stream that is not read`)
  assert.equal(await metric(gateway.admin, 'mcp_stream_overflow_total'), 1)
  const dropped = await metric(gateway.admin, 'mcp_notifications_dropped_total', { reason: 'overflow' })
  assert.ok(dropped > 0)

  // The unread part is sent, and then the end of the stream.
  own.socket.resume()
  await until('the end of the stream', () => own.received().endsWith('0\r\n\r\n'))
  own.socket.destroy()
  const [, last = ''] = /.*^id: (\S+)$/ms.exec(own.received()) ?? []
  // Too many messages have followed since then: the client gets an error instead of a gap.
  assert.equal(await peer.listen(last), 400)
  assert.equal(await peer.listen(), 200)
  const seen = peer.messages().length
  await until('what is kept of the stream', () => peer.messages().length > seen + 100)

  const answered = await slowAnswer(scene, headers)
  return (
    `${2 * count} notifications to a stream without a reader: ${toMiB(kept)} MiB kept, stream ended, ${dropped} dropped and counted, ` +
    `slowest call of another session ${slowest.toFixed(0)} ms; ${answered}`
  )
}

/** The stream of a request: it loses only progress that later progress has replaced. */
async function slowAnswer({ gateway }: ProcessScene, headers: Readonly<Record<string, string>>): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: flood('progress') })
  const socket = await openSocket(gateway.url)
  socket.socket.pause()
  const before = await gateway.inspector.heap()
  socket.write(requestText(gateway.url, 'POST', { ...headers, 'content-type': 'application/json' }, body))
  await until('the end of the flood', async () => (await metric(gateway.admin, 'mcp_inflight_requests')) === 0)
  const kept = (await gateway.inspector.heap()) - before
  assert.ok(kept < mostHeap, `${kept} bytes are kept for an answer that is not read`)
  socket.socket.resume()
  await until('the answer', () => socket.received().includes('"id":"slow","result"'))
  socket.socket.destroy()
  const steps = [...socket.received().matchAll(/"progress":(\d+)/g)].map(([, step]) => Number(step))
  assert.equal(steps.at(-1), count)
  assert.ok(steps.every((step, index) => index === 0 || step > (steps[index - 1] ?? 0)))
  return `of ${count} steps of progress ${steps.length} were sent, in order, the last one too`
}

async function slowPipe({ gateway, connect }: ProcessScene): Promise<string> {
  const peer = connect()
  await openSession(peer)
  await peer.request('tools/call', { name: 'loud__echo' })
  const before = await gateway.inspector.heap()
  gateway.child.stdout.pause()
  const answers = floods(peer)
  answers.catch(() => {})
  const dropped = (): Promise<number> =>
    metric(gateway.admin, 'mcp_notifications_dropped_total', { reason: 'overflow' })
  // Everything that was read from the backend was either sent to the client or dropped.
  await until('most of the flood', async () => (await dropped()) > count)
  const kept = (await gateway.inspector.heap()) - before
  assert.ok(kept < mostHeap, `${kept} bytes are kept for a client that does not read`)
  gateway.child.stdout.resume()
  for (const answer of await answers) assert.ok(answer['result'])
  assert.deepEqual((await peer.request('ping'))['result'], {})
  return `${2 * count} notifications to a pipe without a reader: ${toMiB(kept)} MiB kept, ${await dropped()} dropped and counted; both answers came`
}

/** Makes calls, one after the other, until `isOver`; returns the duration of the slowest. */
async function slowestCall(peer: Peer, isOver: () => boolean): Promise<number> {
  let slowest = 0
  do {
    const began = performance.now()
    // oxlint-disable-next-line no-await-in-loop
    const { result } = await peer.request('tools/call', { name: 'demo__echo', arguments: { message: 'x' } })
    assert.ok(result)
    slowest = Math.max(slowest, performance.now() - began)
  } while (!isOver())
  return slowest
}

function toMiB(size: number): string {
  return (size / 1024 / 1024).toFixed(1)
}
