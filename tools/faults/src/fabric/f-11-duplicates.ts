import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { replyIn } from '@junctor/testkit'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { withFabric } from './scene.ts'

/** A client of JSON-RPC 3.0: it may collect its results later. */
interface AsyncClient {
  /** Requests a job that may be repeated; undefined when that is refused. */
  submit(key: string, nonce: string): Promise<string | undefined>
}

async function openAsync(url: string): Promise<AsyncClient> {
  let session: string | undefined
  const ask = async (message: object): Promise<{ ack?: { jobId?: string } }> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '3.0', id: 1, ...message }),
    })
    session ??= answer.headers.get('mcp-session-id') ?? undefined
    return replyIn(await answer.text())
  }
  await ask({ method: 'rpc.extensions', params: { extensions: ['async'] } })
  return {
    async submit(idempotencyKey, nonce) {
      const params = { name: 'work__adds', arguments: { nonce } }
      const { ack } = await ask({ method: 'tools/call', params, options: { idempotencyKey, async: true } })
      return ack?.jobId
    },
  }
}

/** One run for each key, for repetitions by any client at any node, also when NATS did not answer for a while. */
export const duplicates: Scenario = {
  id: 'F-11',
  title: 'requests are repeated, at other nodes and while NATS does not answer',
  ways: ['http'],
  run: () =>
    withFabric({}, async ({ server, gateways, runs }) => {
      const clients = await Promise.all(gateways.map(({ url }) => openAsync(url)))
      const first = await Promise.all(Array.from({ length: 8 }, (_, n) => repeat(clients, n, 'k1', 'once')))
      assert.equal(new Set(first).size, 1, `Expected one job, got ${first.join()}`)
      process.kill(server.pid, 'SIGSTOP')
      const unheard = Promise.all(clients.map((client) => client.submit('k2', 'unheard')))
      await after(2_000)
      process.kill(server.pid, 'SIGCONT')
      await unheard
      const second = await Promise.all(Array.from({ length: 4 }, (_, n) => repeat(clients, n, 'k2', 'unheard')))
      assert.equal(new Set(second).size, 1, `Expected one job, got ${second.join()}`)
      await until('runs', () => runs('once') > 0 && runs('unheard') > 0)
      // A second run would have begun by now.
      await after(1_000)
      assert.deepEqual([runs('once'), runs('unheard')], [1, 1])
      return `${first.length + second.length + clients.length} requests with two keys were two jobs, each run once`
    }),
}

/** Repeats a request, like a client that was refused with a Retry-After, until it has received the id of its job. */
function repeat(clients: readonly AsyncClient[], turn: number, key: string, nonce: string): Promise<string> {
  let attempt = turn
  return until('a job', async () => {
    attempt += 1
    const job = await clients[attempt % clients.length]?.submit(key, nonce)
    if (job === undefined) await after(200)
    return job
  })
}
