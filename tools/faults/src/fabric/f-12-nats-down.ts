import assert from 'node:assert/strict'
import { type NatsServer, replyIn } from '@junctor/testkit'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import {
  type AnswerSummary,
  ask,
  call,
  fabricMetric,
  type FabricScene,
  isAlive,
  readiness,
  submit,
  withFabric,
} from './scene.ts'

/** The promised timeout of operations that need storage, in milliseconds, plus a reserve for a busy machine. */
const soonMs = 6_500

/** Accepted work is not lost, work that cannot be stored is not accepted, and local calls continue. */
function natsDown(title: string, lose: (server: NatsServer) => Promise<void> | void, heavy?: true): Scenario {
  return {
    id: 'F-12',
    title,
    ways: ['http'],
    ...(heavy && { heavy }),
    run: () =>
      withFabric({ gateways: 1 }, async (scene) => {
        const { server, gateways, connect } = scene
        const [one] = gateways
        assert(one)
        const peer = await connect(one)
        const accept = (first: number) =>
          Promise.all([0, 1, 2].map((n) => submit(peer, 'sets', `accepted ${first + n}`, 3_000 + n * 500)))
        // These run on the home node of their session, because there is no other node yet; the others on either node.
        const atHome = await accept(0)
        const two = await scene.start()
        const anywhere = await accept(atHome.length)
        await lose(server)
        const slowest = await whileDown(scene, peer)
        await server.kill()
        await server.restart()
        const back = performance.now()
        for (const gateway of gateways) {
          // A gateway that lost its connection a moment ago still reports that it is ready.
          // oxlint-disable-next-line no-await-in-loop
          await until('gateways that are back', async () => (await fabricMetric(gateway, 'reconnects_total')) >= 1)
          // oxlint-disable-next-line no-await-in-loop
          await until('gateways that are ready', async () => (await readiness(gateway)) === 'ready')
        }
        const backMs = performance.now() - back
        assert(backMs < 12_000, `Expected gateways that are ready again within 12 s, took ${backMs} ms`)
        assert((await fabricMetric(one, 'storage_failures_total')) >= 1)
        const elsewhere = await connect(two)
        const results = await Promise.all(
          [...atHome, ...anywhere].map(({ id }) => ask(elsewhere, 'tasks/result', { taskId: id })),
        )
        for (const [n, { text, reason }] of results.entries()) {
          // A call that one node ran for another when they were cut off ends too; whether it took effect is unknown.
          const ends = n < atHome.length ? [`accepted ${n}`] : [`accepted ${n}`, 'backend_exited']
          assert(ends.includes(reason ?? text), `Expected ${ends.join(' or ')}, got ${reason ?? text}`)
        }
        const done = results.filter(({ reason }) => reason === undefined)
        const later = await submit(peer, 'adds', 'later')
        assert.equal((await ask(elsewhere, 'tasks/result', { taskId: later.id })).text, 'later')
        assert.equal(scene.runs('later'), 1)
        return `refused within ${slowest.toFixed(0)} ms, ready ${backMs.toFixed(0)} ms after the restart, ${done.length} of ${results.length} accepted tasks done, the others of unknown outcome`
      }),
  }
}

async function whileDown(
  { gateways, runs }: FabricScene,
  peer: Awaited<ReturnType<FabricScene['connect']>>,
): Promise<number> {
  const [one] = gateways
  assert(one)
  let slowest = 0
  // The first operation finds out that storage is lost, the second one knows it.
  for (const round of ['first', 'second']) {
    // oxlint-disable-next-line no-await-in-loop
    const [task, queued, opened, local]: [AnswerSummary, Refusal, Refusal, AnswerSummary] = await Promise.all([
      submit(peer, 'adds', `refused task ${round}`),
      respondAsync(one.url, peer.session ?? '', `refused answer ${round}`),
      refusedSession(one.url),
      call(peer, 'adds', `local ${round}`),
    ])
    assert.deepEqual([task.reason, task.retryable], ['fabric_unavailable', true])
    assert.deepEqual([queued.status, queued.reason, queued.retryAfter], [503, 'fabric_unavailable', '1'])
    assert.deepEqual([opened.status, opened.reason, opened.retryAfter], [503, 'fabric_unavailable', '1'])
    assert.equal(local.text, `local ${round}`)
    assert(local.ms < 1_000, `Expected a local call at once, took ${local.ms} ms`)
    slowest = Math.max(slowest, task.ms, queued.ms, opened.ms)
    assert.equal(runs(`local ${round}`), 1)
    assert.equal(runs(`refused task ${round}`) + runs(`refused answer ${round}`), 0)
  }
  assert(slowest < soonMs, `Expected refusals within ${soonMs} ms, took ${slowest} ms`)
  await until('a gateway that is not ready', async () => (await readiness(one)) === 'fabric_unavailable')
  assert(await isAlive(one))
  assert.equal(await fabricMetric(one, 'healthy'), 0)
  return slowest
}

interface Refusal {
  readonly status: number
  readonly reason: unknown
  readonly retryAfter: string | null
  readonly ms: number
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<Refusal> {
  const began = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  })
  const { error } = replyIn(await answer.text()) as { error?: { data?: { reason?: unknown } } }
  return {
    status: answer.status,
    reason: error?.data?.reason,
    retryAfter: answer.headers.get('retry-after'),
    ms: performance.now() - began,
  }
}

function respondAsync(url: string, session: string, nonce: string): Promise<Refusal> {
  const params = { name: 'work__adds', arguments: { nonce } }
  return post(url, { 'mcp-session-id': session, prefer: 'respond-async' }, { method: 'tools/call', params })
}

function refusedSession(url: string): Promise<Refusal> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'late', version: '1' } }
  return post(url, {}, { method: 'initialize', params })
}

/** Connections to NATS are closed at once, so the gateways know of the loss. */
export const natsKilled: Scenario = natsDown('NATS is killed, and comes back', (server) => server.kill())

/** Connections to NATS stay open, so only timeouts show the loss. */
export const natsSilent: Scenario = natsDown(
  'NATS says nothing any more, and is started again',
  (server) => void process.kill(server.pid, 'SIGSTOP'),
  true,
)
