import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { createChaosProxy, eventually, type NatsServer } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { type GatewayUnderTest, startGateway } from '../src/gateway-under-test.ts'
import { createHttpWire } from '../src/http-wire.ts'
import { demo, lean } from '../src/in-gateway.ts'
import { natsTest } from '../src/nats-test.ts'
import { startNodeProcess } from '../src/node-process.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { type AtNode, openSessionAtNodes } from '../src/session-at-nodes.ts'

// Sessions whose home node is gone, permanently or for a moment.

/** A configuration for nodes of one cluster, each with its own connection to the server. */
function clusterOf(): (server: string) => object {
  const [cluster, key] = [randomBytes(8).toString('hex'), randomBytes(32).toString('base64url')]
  const backends = { demo: demo(), lean: lean() }
  return (server) => ({ backends, fabric: { nats: { servers: [server], cluster, key } } })
}

async function start(nodes: 1 | 2, config: object): Promise<GatewayUnderTest> {
  const gateway = await startGateway({ nodes, config })
  onTestFinished(() => gateway.close())
  return gateway
}

async function openAt<Nodes extends readonly AtNode[]>(
  urls: readonly string[],
  capabilities: JsonObject = {},
): Promise<Nodes> {
  const session = await openSessionAtNodes(urls, { capabilities })
  onTestFinished(() => session.close())
  return session.nodes as unknown as Nodes
}

/** A node that was paused for half a second between two of its checks, which are a second apart, counts as away. */
const pauseNs = 400_000_000

let pings = 0

/** The result of a request of the session on this node: `well`, or the reason of the error. */
async function pinged(node: AtNode): Promise<unknown> {
  const id = `ping ${(pings += 1)}`
  const { status, ended } = await node.post({ jsonrpc: '2.0', id, method: 'ping' })
  await ended
  if (status === 404) return 'unknown'
  const answer = node.received.find(({ message }) => message['id'] === id)?.message ?? {}
  return 'result' in answer ? 'well' : errorOf(answer).data?.['reason']
}

/** The same, when the node does not answer that it cannot know yet: a busy node may be slow to reach NATS again. */
async function answered(node: AtNode): Promise<unknown> {
  const result = await pinged(node)
  return result === 'fabric_unavailable' ? answered(node) : result
}

/** How many clients are connected to a server, as it reports. */
async function connectionsOf({ monitor }: Pick<NatsServer, 'monitor'>): Promise<number> {
  const { connections } = (await (await fetch(`${monitor}/varz`)).json()) as { connections: number }
  return connections
}

const call = (id: string, name: string): JsonObject => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

natsTest('a session whose home was killed is unknown at all nodes as soon as that is noticed', async ({ nats }) => {
  const config = clusterOf()(nats.url)
  const home = await startNodeProcess(config)
  const { urls } = await start(2, config)
  const [, two, three] = await openAt<[AtNode, AtNode, AtNode]>([home.url, ...urls])
  // The nodes know each other, so that the loss of one is noticed.
  expect([await pinged(two), await pinged(three)]).toEqual(['well', 'well'])
  const own = await two.get()
  const open = await three.post(call('open', 'lean__hang'))
  const created = await two.request('tools/call', { name: 'demo__slow', arguments: { ms: 1 }, task: {} })
  const { taskId } = resultOf(created)['task'] as { readonly taskId: string }
  await eventually(async () => {
    expect(resultOf(await three.request('tasks/get', { taskId }))).toMatchObject({ status: 'completed' })
  })

  await home.kill()
  // Until the loss is noticed, its home cannot be reached, which is a temporary error.
  const passing = new Set<unknown>(['backend_unavailable', 'outcome_unknown'])
  const untilUnknown = async (node: AtNode): Promise<void> => {
    let seen = await pinged(node)
    while (passing.has(seen)) {
      // oxlint-disable-next-line no-await-in-loop
      seen = await pinged(node)
    }
    expect(seen).toBe('unknown')
  }
  await Promise.all([untilUnknown(two), untilUnknown(three)])
  const statuses = [two, three].flatMap((node) => [node.get(), node.delete(), node.post(call('late', 'demo__echo'))])
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
  // Its open streams end, and its open requests end with an error.
  await Promise.all([own.ended, open.ended])
  expect(two.received.filter(({ stream }) => stream === own.stream).map(({ message }) => message['method'])).toEqual([
    'notifications/tasks/status',
  ])
  const { message } = await three.until(({ message: { id } }) => id === 'open')
  // No backend has ended.
  expect(errorOf(message)).toMatchObject({
    message: 'The node that ran the request is gone: whether it took effect is unknown',
    data: { reason: 'outcome_unknown' },
  })
  // An accepted request is answered: its principal collects the result in the next session.
  const [next] = await openAt<[AtNode]>(urls.slice(1))
  expect(textOf(await next.request('tasks/result', { taskId }))).toBe('Did nothing for 1 ms')
})

natsTest('a session that was gone while its home was stopped stays gone when the home goes on', async ({ nats }) => {
  const config = clusterOf()(nats.url)
  const home = await startNodeProcess(config)
  const { urls } = await start(1, config)
  const [one, two] = await openAt<[AtNode, AtNode]>([home.url, ...urls])
  const [unasked] = await openAt<[AtNode]>([home.url])
  expect([await pinged(one), await pinged(two), await pinged(unasked)]).toEqual(['well', 'well', 'well'])
  const stream = await one.get()

  home.process.kill('SIGSTOP')
  await eventually(async () => expect(await pinged(two)).toBe('unknown'), 30_000)
  // These requests wait at the paused home, and are the first that it handles when it continues.
  const waiting = [pinged(one), pinged(unasked)]
  home.process.kill('SIGCONT')
  expect(await Promise.all(waiting)).toEqual(['unknown', 'well'])
  await stream.ended
  // The home is reachable again for the other node as well.
  await eventually(async () => {
    const [next] = await openAt<[AtNode]>([home.url])
    expect(await pinged(next)).toBe('well')
  })
  expect([await answered(one), await answered(two)]).toEqual(['unknown', 'unknown'])
})

natsTest(
  'a session that was gone while its home was cut off is gone there as soon as the home is back',
  async ({ nats }) => {
    const network = await createChaosProxy({ port: nats.port })
    onTestFinished(() => network.close())
    const config = clusterOf()
    const home = await start(1, config(`nats://127.0.0.1:${network.port}`))
    const other = await start(1, config(nats.url))
    const [one, two] = await openAt<[AtNode, AtNode]>([...home.urls, ...other.urls])
    const [unasked] = await openAt<[AtNode]>(home.urls)
    expect([await pinged(one), await pinged(two)]).toEqual(['well', 'well'])

    const pauses = monitorEventLoopDelay()
    pauses.enable()
    await network.down()
    await eventually(async () => expect(await pinged(two)).toBe('unknown'), 30_000)
    // The home continues with sessions that only it can know. A busy machine may have paused it long enough for others to
    // think it lost: then it does not know.
    const standing = await pinged(one)
    pauses.disable()
    expect(pauses.max > pauseNs ? ['well', 'fabric_unavailable'] : ['well']).toContain(standing)
    await network.up()
    // Only a node that is back can write the record of its session again.
    await eventually(async () => {
      const [next] = await openAt<[AtNode]>(home.urls)
      expect(await pinged(next)).toBe('well')
    }, 30_000)
    expect([await answered(one), await answered(two), await answered(unasked)]).toEqual(['unknown', 'unknown', 'well'])
  },
)

natsTest("a client's answer is confirmed when the node that asked has it, and not before", async ({ nats }) => {
  const network = await createChaosProxy({ port: nats.port })
  onTestFinished(() => network.close())
  const config = clusterOf()
  const home = await start(1, config(nats.url))
  const other = await start(1, config(`nats://127.0.0.1:${network.port}`))
  const [one, two] = await openAt<[AtNode, AtNode]>([...home.urls, ...other.urls], { elicitation: {} })
  expect(await pinged(two)).toBe('well')
  await one.post(call('asking', 'demo__ask'))
  const question = await one.until(({ message: { method } }) => method === 'elicitation/create')

  await network.down()
  const confirmed = two.post({ jsonrpc: '2.0', id: question.message['id'] ?? '', result: { action: 'decline' } })
  expect(await Promise.race([confirmed, after(500, 'not confirmed')])).toBe('not confirmed')
  await network.up()
  expect((await confirmed).status).toBe(202)
  const { message } = await one.until(({ message: { id } }) => id === 'asking')
  expect(textOf(message)).toContain('You declined')
})

natsTest('a session that has ended is 404, also where its home takes its time to say so', async ({ nats }) => {
  const network = await createChaosProxy({ port: nats.port })
  onTestFinished(() => network.close())
  const config = clusterOf()
  const home = await start(1, config(`nats://127.0.0.1:${network.port}`))
  const other = await start(1, config(nats.url))
  const [one, two] = await openAt<[AtNode, AtNode]>([...home.urls, ...other.urls])
  expect(await pinged(two)).toBe('well')
  // A stream begins when there was no message for 50 ms.
  for (const stream of ['upstream', 'downstream'] as const) network.set(stream, { latency: { latency: 200 } })
  const deleted = one.delete()
  const { status, ended } = await two.post({ jsonrpc: '2.0', id: 'late', method: 'ping' })
  expect(status).toBe(404)
  await Promise.all([ended, deleted])
})

natsTest('a session whose home is away for a moment goes on', async ({ nats }) => {
  const network = await createChaosProxy({ port: nats.port })
  onTestFinished(() => network.close())
  const config = clusterOf()
  const home = await start(1, config(`nats://127.0.0.1:${network.port}`))
  const other = await start(1, config(nats.url))
  const [, two] = await openAt<[AtNode, AtNode]>([...home.urls, ...other.urls])
  await two.request('tools/call', { name: 'demo__tick', arguments: {} })

  const connected = await connectionsOf(nats)
  await network.down()
  // A request that the server has sent to the broken connection would wait until the home counts as lost.
  await eventually(async () => expect(await connectionsOf(nats)).toBeLessThan(connected))
  expect([await pinged(two), await pinged(two)]).toEqual(['backend_unavailable', 'backend_unavailable'])
  expect((await two.get()).status).toBe(503)
  await network.up()
  const seen: unknown[] = []
  await eventually(async () => {
    seen.push(await pinged(two))
    expect(seen.at(-1)).toBe('well')
  })
  expect(seen).not.toContain('unknown')
})

natsTest('a session is not reported as gone by a node that has never heard of its home', async ({ nats }) => {
  const config = clusterOf()(nats.url)
  const [home, killed] = [await startNodeProcess(config), await startNodeProcess(config)]
  const [one] = await openAt<[AtNode]>([home.url])
  const [lost] = await openAt<[AtNode]>([killed.url])
  await killed.kill()
  home.process.kill('SIGSTOP')
  onTestFinished(() => void home.process.kill('SIGCONT'))
  const { urls } = await start(1, config)
  const wire = createHttpWire(urls)
  onTestFinished(() => wire.close())
  // A session without a record is unknown, and so is one whose home was killed before this node has started.
  wire.session = 'invented'
  expect((await wire.post({ jsonrpc: '2.0', id: 'invented', method: 'ping' })).status).toBe(404)
  wire.session = lost.session
  const gone = await wire.post({ jsonrpc: '2.0', id: 'gone', method: 'ping' })
  await gone.ended
  expect(gone.status).toBe(404)
  wire.session = one.session
  const early = await wire.post({ jsonrpc: '2.0', id: 'early', method: 'ping' })
  await early.ended
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1'])
  home.process.kill('SIGCONT')
  await eventually(async () => {
    expect((await wire.post({ jsonrpc: '2.0', id: 'late', method: 'ping' })).status).toBe(200)
  })
  expect(await pinged(one)).toBe('well')
})
