import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { eventually, junctorProgram, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type RestartableNode, startNode } from '../src/nodes/restartable-node.ts'
import { openQueuedClient, type QueuedClient } from '../src/nodes/queued-client.ts'

// Requests that were accepted with 202 are answered although the home node of their session stops. Real processes, real
// NATS.

const key = 'the-key-of-the-client'
let folder: string
let nats: NatsServer
const nodes: RestartableNode[] = []
const clients: QueuedClient[] = []
const timeoutMs = 20_000

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-accepted-'))
  nats = await startNatsServer()
}, 120_000)

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
}, 120_000)

afterAll(async () => {
  await nats?.stop()
  rmSync(folder, { recursive: true })
}, 120_000)

/** This many gateways, in a cluster of their own. */
async function start(count: number, more: object = {}): Promise<readonly RestartableNode[]> {
  const cluster = randomBytes(8).toString('hex')
  const file = join(folder, `${cluster}.json`)
  writeFileSync(
    file,
    JSON.stringify({
      listen: { http: { port: 0 }, admin: { port: 0 } },
      fabric: { nats: { servers: [nats.url], cluster, key: randomBytes(32).toString('base64') } },
      auth: { apiKeys: { client: { hash: `sha256:${hash('sha256', key, 'hex')}`, tenants: ['agency'] } } },
      backends: { demo: { plugin: '@junctor/plugin-demo' } },
      tenants: { agency: { profile: 'saas', backends: ['demo'] } },
      ...more,
    }),
  )
  const gateway = (): Promise<RestartableNode> =>
    startNode({ command: [process.execPath, junctorProgram, 'serve', '--config', file], again: () => [] })
  const started = await Promise.all(Array.from({ length: count }, gateway))
  nodes.push(...started)
  return started
}

const agencyAt = ({ url }: RestartableNode): string => `${url}/agency`

async function open(node: RestartableNode): Promise<QueuedClient> {
  const client = await openQueuedClient(agencyAt(node), { authorization: `Bearer ${key}` })
  clients.push(client)
  return client
}

const sorted = (ids: readonly number[]): readonly number[] => ids.toSorted((one, other) => one - other)
const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => 1 + index)
const slow = { ms: 700 }

test('the home node of a session is asked to stop: all accepted requests are answered, once', async () => {
  const [home, other] = (await start(2)) as [RestartableNode, RestartableNode]
  const client = await open(home)
  client.listen([agencyAt(home), agencyAt(other)])
  const sent = ids(32).map((id) => client.send(agencyAt(id % 2 === 0 ? home : other), id, 'slow', slow))
  expect(new Set(await Promise.all(sent))).toEqual(new Set([202]))
  await setTimeout(500)
  expect(await home.stop()).toBe(0)
  await eventually(() => expect(sorted(client.answered)).toEqual(ids(32)), timeoutMs)
  // It is still the same session, and continues.
  expect(await client.send(agencyAt(other), 33, 'echo', { message: 'x' })).toBe(202)
  await eventually(() => expect(sorted(client.answered)).toEqual(ids(33)), timeoutMs)
  expect(client.streams).not.toContain(404)
  expect(client.streams).not.toContain(400)
}, 120_000)

test('the same for a client whose stream is opened only when its home node is gone', async () => {
  const [home, other] = (await start(2)) as [RestartableNode, RestartableNode]
  const client = await open(home)
  const sent = ids(32).map((id) =>
    client.send(agencyAt(home), id, id % 2 === 0 ? 'slow' : 'echo', { ms: 300, message: 'x' }),
  )
  expect(new Set(await Promise.all(sent))).toEqual(new Set([202]))
  expect(await home.stop()).toBe(0)
  client.listen([agencyAt(other)])
  await eventually(() => expect(sorted(client.answered)).toEqual(ids(32)), timeoutMs)
}, 120_000)

test('two home nodes stop, one after the other, while calls are sent to all nodes', async () => {
  const [one, two, three] = (await start(3)) as [RestartableNode, RestartableNode, RestartableNode]
  const client = await open(one)
  client.listen([agencyAt(one), agencyAt(two), agencyAt(three)])
  const accepted: number[] = []
  const statuses = new Set<number | undefined>()
  const stopping = new AbortController()
  const work = async (at: RestartableNode, first: number): Promise<void> => {
    for (let id = first; !stopping.signal.aborted; id += 10) {
      // oxlint-disable no-await-in-loop -- one after the other
      const status = await client.send(agencyAt(at), id, 'slow', { ms: 200 })
      statuses.add(status)
      if (status === 202) accepted.push(id)
      else if (status === undefined) return
      await setTimeout(10)
      // oxlint-enable no-await-in-loop
    }
  }
  const working = [one, two, three].flatMap((node, index) => [work(node, index * 2), work(node, index * 2 + 1)])
  /** Resolves when the nodes have accepted more calls. */
  const moreAccepted = async (): Promise<void> => {
    const before = accepted.length
    await eventually(() => expect(accepted.length).toBeGreaterThan(before + 20), timeoutMs)
  }
  await moreAccepted()
  expect(await one.stop()).toBe(0)
  await moreAccepted()
  expect(await two.stop()).toBe(0)
  await moreAccepted()
  stopping.abort()
  await Promise.all(working)
  const missing = (): readonly number[] => accepted.filter((id) => !client.answered.includes(id))
  await eventually(() => expect(missing()).toEqual([]), timeoutMs)
  expect(client.answered.filter((id, at) => client.answered.indexOf(id) !== at)).toEqual([])
  // Refused requests got a status, and no session was lost.
  expect([...statuses].filter((status) => ![202, 503, undefined].includes(status))).toEqual([])
}, 120_000)

test('the only node finishes its queued requests, and its client reads the answers', async () => {
  const [only] = (await start(1)) as [RestartableNode]
  const client = await open(only)
  client.listen([agencyAt(only)])
  const sent = ids(32).map((id) => client.send(agencyAt(only), id, 'slow', slow))
  expect(new Set(await Promise.all(sent))).toEqual(new Set([202]))
  expect(await only.stop()).toBe(0)
  expect(sorted(client.answered)).toEqual(ids(32))
  expect(only.log).not.toContain('no other node has taken over')
}, 120_000)

test('the only node logs how many requests it cannot finish in time', async () => {
  const [only] = (await start(1, { limits: { grace: '1s' } })) as [RestartableNode]
  const client = await open(only)
  client.listen([agencyAt(only)])
  const sent = ids(6).map((id) => client.send(agencyAt(only), id, 'slow', { ms: 20_000 }))
  expect(new Set(await Promise.all(sent))).toEqual(new Set([202]))
  expect(await only.stop()).toBe(0)
  expect(only.log).toContain('no other node has taken over what it accepted')
  expect(only.log).toMatch(/"jobs":6/)
}, 120_000)
