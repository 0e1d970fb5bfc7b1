import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { callView, createMemoryBus, createMemoryFabric, noHolderOutcome } from '@junctor/fabric'
import { payloadOf, printChunk, printV3Result, requestId } from '@junctor/jsonrpc'
import { mcpProfile, wireError } from '@junctor/protocol'
import type { Fabric, UnreadableReporter } from '@junctor/contracts'
import { eventually } from '@junctor/testkit'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import { createStreamTable } from '../streams/stream-table.ts'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { createFrameDeliveries } from './frame-deliveries.ts'
import { callNode } from '../../nodes/call-node.ts'
import { nodeContext } from '../../nodes/node-context.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { shouldRetryBatch } from '../../nodes/outbox.ts'
import type { JobFrame } from '../../jobs/delivery/job-frame.ts'

/** The part of a fabric that deliveries use. */
type Calling = Pick<Fabric, 'node' | 'now' | 'call' | 'serve'>

/** A session whose home is the first of two nodes, and the frames on its stream. */
async function start(
  through: (fabric: Fabric) => Calling = (fabric) => fabric,
  unreadable: UnreadableReporter = expect.unreachable,
) {
  const bus = createMemoryBus()
  const [one, two] = [createMemoryFabric(bus, 'one'), through(createMemoryFabric(bus, 'two'))]
  const streams = createStreamTable('one', defaultGatewayLimits, Date.now, { dropped() {}, overflowed() {} })
  const { session } = createHome('s', tenantOf([]), createTestPool(createManualClock()))
  const present = new Set(['one', 'two'])
  let ids = 0
  const host = { nextId: () => `x-${(ids += 1)}`, now: Date.now, asked() {}, answered() {}, closed() {} }
  const at = (fabric: Calling) =>
    createFrameDeliveries(
      { fabric, host, isPresent: async (node) => present.has(node), unreadable },
      {
        table: {
          peek: (id) => (fabric === one && id === session.id ? session : undefined),
          otherHome: () => undefined,
        },
        finder: { homeOf: (_id, last) => last },
      },
      streams,
    )
  const here = at(one)
  const there = at(two)
  await here.serve()
  const texts: string[] = []
  session.stream = streams.detached('paced')
  const read = () =>
    session.stream?.attach({
      owner: undefined,
      resumable: true,
      open() {},
      send(text) {
        texts.push(text)
        return undefined
      },
    })
  read()
  const frame = (text: string, more: Partial<JobFrame> = {}): JobFrame => ({
    session: session.id,
    job: text,
    text,
    last: true,
    ...more,
  })
  return { one, here, there, present, session, texts, frame, read }
}

afterEach(() => void vi.useRealTimers())

describe('an answer', () => {
  it('goes to the stream of its session, from any node', async () => {
    const { here, there, texts, frame } = await start()
    void here.deliver('one', frame('1'))
    void there.deliver('one', frame('2'))
    await eventually(() => expect(texts).toEqual(['1', '2']))
  })

  it('is taken once when it is delivered twice', async () => {
    const { here, texts, frame } = await start()
    void here.deliver('one', frame('progress', { job: 'a', last: false }))
    void here.deliver('one', frame('first', { job: 'a' }))
    void here.deliver('one', frame('again', { job: 'a' }))
    void here.deliver('one', frame('other', { job: 'b' }))
    expect(texts).toEqual(['progress', 'first', 'other'])
  })

  it('waits for the rest of its batch, also when a member of the batch has no text', async () => {
    const { here, there, texts, frame } = await start()
    const batch = { id: 'b', size: 3 }
    void here.deliver('one', frame('{"id":1}', { batch: { ...batch, at: 2 } }))
    void here.deliver('one', frame('', { job: 'refused', batch: { ...batch, at: 1 } }))
    expect(texts).toEqual([])
    void there.deliver('one', frame('{"id":2}', { batch: { ...batch, at: 0 } }))
    await eventually(() => expect(texts).toEqual(['[{"id":2},{"id":1}]']))
  })

  it('is dropped when its session has ended', async () => {
    const { here, session, texts, frame } = await start()
    void here.deliver('one', frame('1', { session: 'other' }))
    session.ended = true
    void here.deliver('one', frame('2'))
    expect(texts).toEqual([])
  })
})

/** A fabric whose calls fail as the test sets; `late`: the call fails, but the other node has received it. */
function failing(kinds: ('not' | 'late' | 'well')[]): (fabric: Fabric) => Calling {
  return (fabric) => ({
    node: fabric.node,
    now: fabric.now,
    serve: (service, handler) => fabric.serve(service, handler),
    async call(to, request, exchange) {
      const kind = kinds.shift() ?? 'well'
      if (kind === 'not') return noHolderOutcome(to, request, exchange)
      const outcome = await fabric.call(to, request, exchange)
      return kind === 'well'
        ? outcome
        : { kind: 'error', error: wireError('backend_exited', callView(request, exchange)) }
    },
  })
}

describe('frames for another node', () => {
  it('arrive in order and once each, also when the calls that carry them fail', async () => {
    const { there, texts, frame } = await start(failing(['not', 'late', 'late', 'well', 'not']))
    const sent = Array.from({ length: 200 }, (_, index) => `frame ${index}`)
    // oxlint-disable-next-line no-await-in-loop
    for (const text of sent) await there.deliver('one', frame(text, { last: false }))
    await there.settled()
    expect(texts).toEqual(sent)
  })

  it('make the writer wait as soon as enough of them are on their way', async () => {
    const { there, frame } = await start()
    const waits = Array.from({ length: 100 }, (_, index) => there.deliver('one', frame(String(index), { last: false })))
    expect(waits.findIndex((wait) => wait !== undefined)).toBe(63)
    await Promise.all(waits.map(async (wait) => wait))
    expect(there.deliver('one', frame('large'.repeat(100_000)))).toBeInstanceOf(Promise)
    expect(await there.deliverSurely('one', frame('and'))).toBe(true)
  })

  it('are given up when the node is lost, and not before', async () => {
    vi.useFakeTimers()
    const { one, there, present, frame } = await start()
    await one.close()
    const arrived = vi.fn<(arrived: boolean) => void>()
    void there.deliverSurely('one', frame('1')).then(arrived)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(arrived).not.toHaveBeenCalled()
    present.delete('one')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(arrived.mock.calls).toEqual([[true]])
  })

  it('are given up immediately when this node leaves and no other node stays to deliver them', async () => {
    vi.useFakeTimers()
    const { one, there, present, frame } = await start()
    await one.close()
    void there.deliver('one', frame('1'))
    await vi.advanceTimersByTimeAsync(1_000)
    const settled = vi.fn<() => void>()
    void there.settled().then(settled)
    there.leave(false)
    await vi.advanceTimersByTimeAsync(1_000)
    // The node is present: it takes them as soon as it can be reached.
    expect(settled).not.toHaveBeenCalled()
    present.delete('one')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(settled).toHaveBeenCalledOnce()
  })

  it('have not arrived when this node closes first', async () => {
    const { one, there, frame } = await start()
    await one.close()
    const arrived = there.deliverSurely('one', frame('1'))
    there.close()
    expect(await arrived).toBe(false)
  })
})

test.each([
  ['backend_unavailable', true, 60_000, true],
  ['backend_unavailable', false, 9_000, true],
  ['backend_unavailable', false, 10_000, false],
  ['backend_exited', true, 60_000, true],
  ['fabric_unavailable', true, 60_000, true],
  ['internal_error', true, 0, false],
  ['too_large', true, 0, false],
] as const)(
  'what was not taken for %s (is there: %s, after %d ms) is brought again: %s',
  (reason, there, ms, again) => {
    const error = wireError(reason, { revision: '2025-11-25', dialect: '2.0', profile: mcpProfile })
    expect(shouldRetryBatch({ kind: 'error', error }, there, ms, 10_000)).toBe(again)
  },
)

it('a question of another version for taken frames is refused and reported, not answered', async () => {
  const reported: unknown[] = []
  const { one } = await start(undefined, (...about) => void reported.push(about))
  const request = nodeRequest(serviceNames.taken, { session: 1 })
  const call = { node: one.node, request, context: nodeContext, withinMs: 5_000 }
  const outcome = await callNode({ fabric: one, host: { nextId: () => 'x-1' } }, call)
  expect(outcome).toMatchObject({ error: { code: -32602 } })
  expect(reported).toEqual([['request', serviceNames.taken, expect.stringContaining('session')]])
})

it.each(['holds', 'forwards'])(
  'an answer does not overtake what the earlier home of its session still %s',
  async (what) => {
    const bus = createMemoryBus()
    const streams = createStreamTable('next', defaultGatewayLimits, Date.now, { dropped() {}, overflowed() {} })
    const { session } = createHome('s', tenantOf([]), createTestPool(createManualClock()))
    session.stream = streams.detached('paced')
    const [forwarding, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const host = { nextId: () => randomUUID(), now: Date.now, asked() {}, answered() {}, closed() {} }
    const at = async (name: string, before: (service: string) => Promise<void> | undefined) => {
      const inner = createMemoryFabric(bus, name)
      const fabric: Calling = {
        node: name,
        now: inner.now,
        serve: (service, handler) => inner.serve(service, handler),
        async call(to, request, exchange) {
          await before(to.service)
          return inner.call(to, request, exchange)
        },
      }
      const isNext = name === 'next'
      const deliveries = createFrameDeliveries(
        { fabric, host, isPresent: async () => true, unreadable: expect.unreachable },
        {
          table: { peek: () => (isNext ? session : undefined), otherHome: () => (isNext ? undefined : 'next') },
          finder: { homeOf: () => 'next' },
        },
        streams,
      )
      await deliveries.serve()
      return deliveries
    }
    await at('next', () => undefined)
    const earlier = await at('earlier', (service) =>
      service === serviceNames.deliver ? forwarding.promise : undefined,
    )
    if (what === 'holds') earlier.hold(session)
    const runner = await at('runner', (service) => void (service === serviceNames.taken && asked.resolve()))
    const frame = (text: string, last: boolean): JobFrame => ({ session: session.id, job: 'a', text, last })
    void runner.deliver('earlier', frame('piece', false))
    const delivered = runner.deliverSurely('earlier', frame('answer', true))
    await Promise.race([delivered, asked.promise])
    forwarding.resolve()
    if (what === 'holds') {
      // The node has answered by then, if it does not wait.
      // oxlint-disable-next-line no-await-in-loop -- turn after turn
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
      earlier.release(session)
    }
    expect(await delivered).toBe(true)
    await eventually(() => expect(session.stream?.count).toBe(2))
    const texts: string[] = []
    session.stream.attach({ owner: undefined, resumable: true, open() {}, send: (text) => void texts.push(text) })
    expect(texts).toEqual(['piece', 'answer'])
  },
)

describe('pieces for a reader that does not read', () => {
  const most = defaultGatewayLimits.streamEntries
  const chunk = (job: string, count: number) => printChunk(requestId(job), String(count))
  const answer = (job: string) => printV3Result(requestId(job), payloadOf({}), true)

  /** Delivers of two nodes to a session, whose reader has left: its frames wait until it is back. */
  async function unread() {
    const parts = await start()
    const { session, texts, frame } = parts
    session.stream?.freeze()
    session.stream?.thaw()
    texts.length = 0
    const piece = (job: string, count: number) => frame(chunk(job, count), { job, last: false })
    return { ...parts, piece }
  }

  it('of other nodes make their job wait there; others go on, and they come complete and in order', async () => {
    const { there, texts, frame, piece, read } = await unread()
    let sent = 0
    const sends = (async () => {
      // oxlint-disable-next-line no-await-in-loop -- in order
      for (; sent < most; sent += 1) await there.deliver('one', piece('a', sent))
      void there.deliver('one', frame(answer('a'), { job: 'a' }))
    })()
    await eventually(() => expect(sent).toBeGreaterThanOrEqual(most / 2))
    void there.deliver('one', frame('other'))
    await there.settled()
    read()
    await sends
    await eventually(() => expect(texts).toContain(answer('a')))
    expect(texts.filter((text) => text !== 'other')).toEqual([
      ...Array.from({ length: most }, (_, count) => chunk('a', count)),
      answer('a'),
    ])
    expect(texts.indexOf('other')).toBe(most / 2)
  })

  it('of a node that sends on all the same end with an error, and leave room for other answers', async () => {
    const { there, texts, frame, piece, read } = await unread()
    for (let count = 0; count < 2 * most; count += 1) void there.deliver('one', piece('a', count))
    void there.deliver('one', frame(answer('a'), { job: 'a' }))
    void there.deliver('one', frame('other'))
    await there.settled()
    read()
    await eventually(() => expect(texts.at(-1)).toBe('other'))
    expect(texts).toHaveLength(most / 2 + 2)
    expect(texts.slice(0, -2)).toEqual(Array.from({ length: most / 2 }, (_, count) => chunk('a', count)))
    expect(JSON.parse(String(texts.at(-2)))).toMatchObject({
      stream: { id: 'a' },
      error: { title: 'Payload Too Large' },
    })
    // Those of another job that a reader takes are not affected.
    void there.deliver('one', piece('b', 0))
    await eventually(() => expect(texts.at(-1)).toBe(chunk('b', 0)))
  })

  it('of this node make their job wait; with its answer they come complete and in order', async () => {
    vi.useFakeTimers()
    const { here, texts, frame, piece, read } = await unread()
    const waits = Array.from({ length: most }, (_, count) => here.deliver('one', piece('a', count)))
    expect(waits.findIndex((wait) => wait !== undefined)).toBe(most / 2)
    void here.deliver('one', frame(answer('a'), { job: 'a' }))
    // Other answers do not wait, and other pieces do.
    expect(here.deliver('one', frame('other'))).toBeUndefined()
    expect(here.deliver('one', piece('b', 0))).toBeInstanceOf(Promise)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(texts).toEqual([])
    read()
    await vi.advanceTimersByTimeAsync(1_000)
    await Promise.all(waits.map(async (wait) => wait))
    expect(texts.filter((text) => text.includes('"a"'))).toEqual([
      ...Array.from({ length: most }, (_, count) => chunk('a', count)),
      answer('a'),
    ])
    expect(texts).toContain(chunk('b', 0))
    expect(here.deliver('one', piece('b', 1))).toBeUndefined()
  })

  it('are given on with their session when that is handed over, and make nobody wait then', async () => {
    const { here, session, texts, frame, piece, read } = await unread()
    const waits = Array.from({ length: most / 2 + 3 }, (_, count) => here.deliver('one', piece('a', count)))
    void here.deliver('one', frame(answer('a'), { job: 'a' }))
    here.hold(session)
    read()
    await Promise.all(waits.map(async (wait) => wait))
    expect(texts).toHaveLength(most / 2)
    here.release(session)
    expect(texts).toHaveLength(most / 2 + 4)
    expect(texts.at(-1)).toBe(answer('a'))
  })

  it('make nobody wait when their session has ended', async () => {
    const { here, session, piece } = await unread()
    const waits = Array.from({ length: most }, (_, count) => here.deliver('one', piece('a', count)))
    session.ended = true
    await Promise.all(waits.map(async (wait) => wait))
    expect(here.deliver('one', piece('a', 0))).toBeUndefined()
  })
})
