import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { withFabric } from './scene.ts'

interface Accepted {
  readonly status: number
  readonly jobId: string | undefined
}

/** Asks for a job that may be repeated, as a client of JSON-RPC 3.0 without a session. */
async function submitKeyed(url: string, key: string, nonce: string): Promise<Accepted> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '3.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'work__adds', arguments: { nonce } },
      options: { idempotencyKey: key, async: {} },
    }),
  })
  const text = await answer.text()
  if (process.env['NF_DEBUG']) console.error(answer.status, text)
  const { ack } = JSON.parse(text) as { ack?: { jobId?: string } }
  return { status: answer.status, jobId: ack?.jobId }
}

/** One run for each key, whoever repeats it where and when, and though NATS answered nobody for a while. */
export const duplicates: Scenario = {
  id: 'F-11',
  title: 'requests are repeated, at other nodes and while NATS does not answer',
  ways: ['http'],
  run: () =>
    withFabric({}, async ({ server, gateways, runs }) => {
      const urls = gateways.map(({ url }) => url)
      const first = await Promise.all(Array.from({ length: 8 }, (_, n) => repeat(urls, n, 'k1', 'once')))
      assert.equal(new Set(first).size, 1, `Expected one job, got ${first.join()}`)
      process.kill(server.pid, 'SIGSTOP')
      const unheard = Promise.all(urls.map((url) => submitKeyed(url, 'k2', 'unheard')))
      await after(2_000)
      process.kill(server.pid, 'SIGCONT')
      await unheard
      const second = await Promise.all(Array.from({ length: 4 }, (_, n) => repeat(urls, n, 'k2', 'unheard')))
      assert.equal(new Set(second).size, 1, `Expected one job, got ${second.join()}`)
      await until('runs', () => runs('once') > 0 && runs('unheard') > 0)
      // A second run would have been begun by now.
      await after(1_000)
      assert.deepEqual([runs('once'), runs('unheard')], [1, 1])
      return `${first.length + second.length + urls.length} requests with two keys were two jobs, each run once`
    }),
}

/** As a client does that was told to come back: until it has been told which job it is. */
function repeat(urls: readonly string[], turn: number, key: string, nonce: string): Promise<string> {
  let attempt = turn
  return until('a job', async () => {
    attempt += 1
    const { jobId } = await submitKeyed(urls[attempt % urls.length] ?? '', key, nonce)
    if (jobId === undefined) await after(200)
    return jobId
  })
}
