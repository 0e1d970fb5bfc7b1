import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { eventually, junctorProgram, type NatsServer, startNatsServer, workerProgram } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RestartableNode, startNode } from '../src/nodes/restartable-node.ts'
import { type RetriedCall, RetryingClient } from '../src/nodes/retrying-client.ts'
import { textOf } from '../src/result-of.ts'

// All nodes of a gateway are restarted in turn while clients call, as for a new version. Real processes, real NATS.

const token = 'a-token-for-tests'
let folder: string
let nats: NatsServer
const nodes: RestartableNode[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-rolling-'))
  nats = await startNatsServer()
  const file = join(folder, 'junctor.json')
  writeFileSync(
    file,
    JSON.stringify({
      listen: { http: { port: 0 }, admin: { port: 0, token } },
      fabric: { nats: { servers: [nats.url], key: randomBytes(32).toString('base64') } },
      backends: {
        near: { plugin: '@junctor/plugin-demo' },
        far: { plugin: '@junctor/plugin-demo', runsOn: 'workers' },
      },
    }),
  )
  const gateway = (): Promise<RestartableNode> =>
    startNode({
      command: [process.execPath, junctorProgram, 'serve', '--config', file],
      again: ({ http, admin }) => ['--port', new URL(http ?? '').port, '--admin-port', new URL(admin).port],
      token,
    })
  const worker = (): Promise<RestartableNode> =>
    startNode({
      command: [process.execPath, workerProgram, '--config', file],
      again: ({ admin }) => ['--admin-port', new URL(admin).port],
      token,
    })
  nodes.push(...(await Promise.all([worker(), worker(), gateway(), gateway()])))
}, 120_000)

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await nats?.stop()
  rmSync(folder, { recursive: true })
}, 60_000)

test('no call fails while every node is restarted', { timeout: 120_000 }, async () => {
  const urls = nodes.flatMap(({ url }) => (url === '' ? [] : [url]))
  const stopping = new AbortController()
  const calls: RetriedCall[] = []

  /** A client that calls all the time. A fifth of the calls are slow, half of those as tasks. */
  const work = async (turn: number): Promise<void> => {
    const client = new RetryingClient(urls, turn)
    for (let count = turn; !stopping.signal.aborted; count += 1) {
      const backend = count % 2 === 0 ? 'near' : 'far'
      const adds = count % 10 > 1
      const call = await (adds
        ? client.call(`${backend}__add`, { a: count, b: 1 })
        : client[count % 20 > 9 ? 'call' : 'callAsTask'](`${backend}__progress`, { steps: 7, delayMs: 100 }))
      const wrong = adds && call.failure === undefined && sumOf(call) !== `{"sum":${count + 1}}`
      calls.push(wrong ? { ...call, failure: `the answer of another call: ${sumOf(call)}` } : call)
      await setTimeout(60)
    }
  }
  const clients = Promise.all(Array.from({ length: 6 }, (_, turn) => work(turn)))
  /** Resolves when the clients have made more calls. */
  const moreCalls = async (): Promise<void> => {
    const before = calls.length
    await eventually(() => expect(calls.length).toBeGreaterThan(before + 12), 30_000)
  }
  const exits: unknown[] = []
  for (const node of [...nodes, ...nodes.toReversed()]) {
    await moreCalls()
    exits.push(await node.stop())
    await moreCalls()
    await node.start()
  }
  await moreCalls()
  stopping.abort()
  await clients

  expect(calls.filter(({ failure }) => failure !== undefined)).toEqual([])
  // The clients did have to retry.
  expect(calls.flatMap(({ retries }) => retries)).toContain('session')
  expect(exits).toEqual(exits.map(() => 0))
})

function sumOf({ result }: RetriedCall): string {
  return textOf({ result })
}
