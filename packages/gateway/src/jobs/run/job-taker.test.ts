import { describe, expect, it, onTestFinished } from 'vitest'
import type { Exchange, Outcome } from '@junctor/exchange'
import { emitNothing, type Fabric, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { isJsonObject, type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile, wireError } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { createDeadlines } from '../../shared/deadlines.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import { type JobKind, type JobRecord, keyOf } from '../record/job-record.ts'
import type { JobFrame } from '../delivery/job-frame.ts'
import type { JobItem } from '../record/job-item.ts'
import { createJobStore } from '../store/job-store.ts'
import { createRunningJobs } from './running-jobs.ts'
import { JobTaker } from './job-taker.ts'
import { createJobIds } from '../record/job-ids.ts'
import { holdJob } from './hold-job.ts'
import { newJobRecord } from '../record/submission.ts'
import { takeJob, type TakeParts } from './take-job.ts'

/** A bus with the test's clock, and takers on it. */
function start(jobsRunning = 10) {
  let time = 1_000_000
  const now = (): number => time
  const bus = createMemoryBus(now)
  const limits = { ...defaultGatewayLimits, jobLeaseMs: 30, jobTtlMs: 60_000 }
  const ended: JobRecord[] = []
  const unreadable: unknown[] = []
  const delivered: JobFrame[] = []
  const taker = (
    answer: (exchange: Exchange) => Outcome | Promise<Outcome>,
    fabric: Fabric = createMemoryFabric(bus),
  ) => {
    const store = createJobStore(
      fabric,
      { pollable: limits.jobTtlMs, unpollable: () => limits.jobTtlMs },
      now,
      expect.unreachable,
      () => {},
    )
    const deadlines = createDeadlines(now, () => {})
    let ids = 0
    const queue = fabric.queue<JobItem>('jobs', limits.jobLeaseMs)
    const runs = createRunningJobs(limits.jobLeaseMs)
    const clock = { now, deadlines }
    const taking: TakeParts = {
      node: fabric.node,
      store,
      deliveries: {
        deliver: (_home, frame) => void delivered.push(frame),
        deliverSurely: (_home, frame) => Promise.resolve(delivered.push(frame) > 0),
      },
      host: { nextId: () => `${fabric.node}-${(ids += 1)}`, now, asked() {}, answered() {}, closed() {} },
      clock,
      limits,
      log: silentLog,
      emit: emitNothing,
      unreadable: (...about) => void unreadable.push(about),
      longestCallMs: () => 30_000,
      profileOf: () => mcpProfile,
      own: () => undefined,
      isRefused: () => false,
      homeOf: ({ home }) => home,
      handlerOf: () => (_request, exchange) => answer(exchange),
    }
    const holding = { ...taking, queue, open: { held() {} } }
    const made = new JobTaker({
      queue,
      runs,
      jobsRunning,
      take: (lease, closing) => takeJob(taking, lease, closing),
      hold: (record, submission, closing) => holdJob(holding, record, submission, closing),
      ended: (_key, record) => ended.push(record),
      clock,
      log: silentLog,
    })
    onTestFinished(async () => {
      await made.close()
      await fabric.close()
      deadlines.close()
    })
    return { fabric, store, runs, push: (key: string) => queue.push(key, key), taker: made }
  }
  return { bus, taker, ended, delivered, unreadable, advance: (ms: number) => (time += ms) }
}

/** A node that cannot finish an item, as if it died at that moment. */
function neverDone(fabric: Fabric): Fabric {
  const queueOf: Fabric['queue'] = fabric.queue.bind(fabric)
  const queue: Fabric['queue'] = <T extends JsonValue>(name: string, leaseMs: number) => {
    const real = queueOf<T>(name, leaseMs)
    return {
      push: (id: string, value: T) => real.push(id, value),
      hold: (id: string, value: T) => real.hold(id, value),
      async take(signal: AbortSignal) {
        const lease = await real.take(signal)
        if (lease === undefined) return undefined
        const { id, value, fence } = lease
        const gone = () => Promise.reject(new Error('the node is gone'))
        return { id, value, fence, extend: () => Promise.resolve(false), done: gone, release: gone }
      },
    }
  }
  return Object.assign(fabric, { queue })
}

async function submit(
  { fabric, store, push }: ReturnType<ReturnType<typeof start>['taker']>,
  ttlMs = 60_000,
  kind: JobKind = 'task',
): Promise<string> {
  const record = newJobRecord(
    { ...sampleSubmission(kind), ttlMs },
    nextId(kind !== 'queued'),
    fabric.node,
    60_000,
    1_000_000,
  )
  const key = keyOf(record)
  await store.create(key, record)
  await push(key)
  return key
}

const nextId = createJobIds()

const done = (by: string): Outcome => ({ kind: 'complete', result: payloadOf({ by }) })

describe('a taker', () => {
  it('immediately gives back jobs that did not run, while its node leaves', async () => {
    const { taker, ended } = start()
    const gate = Promise.withResolvers<Outcome>()
    const leaving = taker(() => gate.promise)
    const key = await submit(leaving)
    await eventually(() => expect(leaving.runs.get(key)).toBeDefined())
    const drained = leaving.taker.drain()
    taker(() => done('other'))
    gate.resolve({
      kind: 'error',
      error: wireError('backend_unavailable', { revision: '2025-11-25', dialect: '2.0', profile: mcpProfile }),
    })
    await drained
    // The clock of the bus stands still: an item with a wait would wait forever.
    await eventually(() => expect(ended).toMatchObject([{ state: 'succeeded' }]))
  })

  it('leaves no record of an answer, and sends no second one, when its node dies before the item is done', async () => {
    const { bus, taker, delivered, advance } = start()
    const dying = taker(() => done('first'), neverDone(createMemoryFabric(bus)))
    const key = await submit(dying, 60_000, 'queued')
    await eventually(async () => expect(await dying.store.read(key)).toBeUndefined())
    advance(1_000)
    const ran: string[] = []
    const other = taker((exchange) => {
      ran.push(exchange.context.session ?? '')
      return done('other')
    })
    // The queue is in order: the earlier item was handled by then.
    await submit(other, 60_000, 'queued')
    await eventually(() => expect(delivered).toHaveLength(2))
    expect(ran).toHaveLength(1)
  })

  it('runs a job that was started with a higher fence, when lease numbers have started again', async () => {
    const { taker, ended } = start()
    const only = taker(() => done('it'))
    const record = {
      ...newJobRecord(sampleSubmission('task'), nextId(true), 'x', 60_000, 1_000_000),
      fence: 500,
    }
    await only.store.create(keyOf(record), record)
    await only.push(keyOf(record))
    await eventually(() => expect(ended).toMatchObject([{ state: 'succeeded', fence: 501 }]))
  })

  it.each(['backend_unavailable', 'fabric_unavailable', 'overloaded', 'backend_exited'] as const)(
    'gives back a job after %s, and the next node that takes it runs it',
    async (reason) => {
      const { taker, advance, ended, delivered } = start()
      const starts: number[] = []
      const first = taker(({ attempt }) => {
        starts.push(attempt)
        return {
          kind: 'error',
          error: wireError(reason, { revision: '2025-11-25', dialect: '2.0', profile: mcpProfile }),
        }
      })
      for (const kind of ['task', 'queued'] as const) {
        const key = await submit(first, 60_000, kind)
        await eventually(async () => expect((await first.store.read(key))?.record.tries).toBeDefined())
      }
      await first.taker.close()
      advance(1_000)
      taker(({ attempt }) => {
        starts.push(attempt)
        return done('other')
      })
      await eventually(() => expect(ended).toHaveLength(2))
      // An attempt that may have run counts; the node that knows the tool decides.
      const again = reason === 'backend_exited' ? 2 : 1
      expect(starts).toEqual([1, 1, again, again])
      expect(delivered).toMatchObject([{ last: true, text: expect.stringContaining('other') }])
    },
  )

  it('that has lost its lease is notified, and its writes are ignored', async () => {
    const { taker, advance } = start()
    const ends: unknown[] = []
    let settle = (_outcome: Outcome): void => {}
    // The next run, which may be on the same node.
    const answer = (exchange: Exchange): Outcome | Promise<Outcome> => {
      if (exchange.attempt > 1) return done('second')
      exchange.onEnd({ ended: (reason) => void ends.push(reason) })
      return new Promise((resolve) => (settle = resolve))
    }
    const first = taker(answer)
    const key = await submit(first)
    await eventually(() => expect(first.runs.get(key)).toBeDefined())
    // Leases are extended in real time; on the clock of the bus, this lease has expired long ago.
    advance(1_000)
    const second = taker(answer)
    await eventually(async () => {
      expect(await second.store.read(key)).toMatchObject({
        record: { state: 'succeeded', attempt: 2, outcome: { result: '{"by":"second"}' } },
      })
    })
    await eventually(() => expect(ends).toEqual(['lease_lost']))
    settle(done('first'))
    await eventually(() => expect(first.runs.get(key)).toBeUndefined())
    expect((await second.store.read(key))?.record.outcome).toEqual({ result: '{"by":"second"}' })
  })

  it('does not run a job that is cancelled while its start is being stored', async () => {
    const { bus, taker, ended } = start()
    const [stored, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const fabric = createMemoryFabric(bus)
    const storeOf: Fabric['store'] = fabric.store.bind(fabric)
    const store = (name: string, ttlMs: number) => {
      const real = storeOf<JsonValue>(name, ttlMs)
      const put: typeof real.put = async (key, value, revision) => {
        const result = await real.put(key, value, revision)
        if (isJsonObject(value) && value['state'] === 'running') {
          stored.resolve()
          await answered.promise
        }
        return result
      }
      return { ...real, put }
    }
    const ran: unknown[] = []
    const made = taker(
      ({ id }) => {
        ran.push(id)
        return done('one')
      },
      Object.assign(fabric, { store }),
    )
    const key = await submit(made)
    await stored.promise
    const job = await made.store.read(key)
    if (job === undefined) throw new Error('expected it to be stored')
    await made.store.change(key, { kind: 'cancel', outcome: { result: '{}' }, now: 1_000_000 }, job)
    expect(made.runs.cancel(key)).toBe(false)
    answered.resolve()
    await eventually(() => expect(ended).toMatchObject([{ state: 'cancelled' }]))
    expect([ran, await made.store.read(key)]).toMatchObject([[], { record: { state: 'cancelled' } }])
  })

  it('keeps the lease of a long job', async () => {
    const { taker, advance } = start()
    let settle = (_outcome: Outcome): void => {}
    let runs = 0
    const answer = (): Promise<Outcome> => {
      runs += 1
      return new Promise((resolve) => (settle = resolve))
    }
    const first = taker(answer)
    const key = await submit(first)
    await eventually(() => expect(runs).toBe(1))
    taker(answer)
    for (let beat = 0; beat < 5; beat += 1) {
      await first.runs.get(key)?.beat()
      advance(20)
    }
    settle(done('first'))
    await eventually(async () => expect((await first.store.read(key))?.record.state).toBe('succeeded'))
    expect(runs).toBe(1)
  })

  it('runs no more jobs at the same time than its limit', async () => {
    const { taker, ended } = start(2)
    const settles: ((outcome: Outcome) => void)[] = []
    const only = taker(() => new Promise((resolve) => settles.push(resolve)))
    for (let job = 0; job < 5; job += 1) await submit(only)
    await eventually(() => expect(settles).toHaveLength(2))
    settles[0]?.(done('x'))
    await eventually(() => expect(settles).toHaveLength(3))
    for (let job = 1; job < 5; job += 1) {
      await eventually(() => expect(settles.length).toBeGreaterThan(job))
      settles[job]?.(done('x'))
    }
    await eventually(() => expect(ended).toHaveLength(5))
  })

  it('begins jobs at the same time while the store is slow, no more than its limit, and drains them too', async () => {
    const { bus, taker, ended } = start(3)
    const fabric = createMemoryFabric(bus)
    const storeOf: Fabric['store'] = fabric.store.bind(fabric)
    const waiting: (() => void)[] = []
    const store = (name: string, ttlMs: number) => {
      const real = storeOf<JsonValue>(name, ttlMs)
      const put: typeof real.put = async (key, value, revision) => {
        if (isJsonObject(value) && value['state'] === 'running') {
          await new Promise<void>((resolve) => waiting.push(resolve))
        }
        return real.put(key, value, revision)
      }
      return { ...real, put }
    }
    const settles: ((outcome: Outcome) => void)[] = []
    const slow = taker(() => new Promise((resolve) => settles.push(resolve)), Object.assign(fabric, { store }))
    for (let job = 0; job < 5; job += 1) await submit(slow)
    await eventually(() => expect(waiting).toHaveLength(3))
    waiting[0]?.()
    await eventually(() => expect(settles).toHaveLength(1))
    // The job that has begun counts like those that are still beginning.
    expect(waiting).toHaveLength(3)
    settles[0]?.(done('x'))
    await eventually(() => expect(waiting).toHaveLength(4))
    expect([slow.taker.isAtRest, slow.taker.hasRoom]).toEqual([false, false])
    let drained = false
    const draining = slow.taker.drain().then(() => (drained = true))
    for (const begins of waiting) begins()
    await eventually(() => expect(settles).toHaveLength(4))
    expect(drained).toBe(false)
    for (const settle of settles) settle(done('x'))
    await draining
    expect(ended).toHaveLength(4)
  })

  it('does not run a job whose time to live is over', async () => {
    const { taker, advance } = start()
    let runs = 0
    const busy = taker(() => {
      runs += 1
      return done('x')
    })
    await busy.taker.close()
    const key = await submit(busy, 1_000)
    advance(1_000)
    const late = taker(() => {
      runs += 1
      return done('x')
    })
    await eventually(async () =>
      expect(await late.store.find(key)).toMatchObject({ kind: 'job', job: { record: { state: 'expired' } } }),
    )
    expect(runs).toBe(0)
  })
})

it('removes items of the queue that cannot be read, reports them, and runs the others', async () => {
  const { taker, ended, unreadable } = start()
  const node = taker(() => ({ kind: 'complete', result: payloadOf({}) }))
  const queue = node.fabric.queue<never>('jobs', 30)
  await queue.push('owner.j_1', { id: 'j_1', state: 'queued' } as never)
  await queue.push('owner.j_2', null as never)
  await submit(node)
  await eventually(() => expect(ended).toHaveLength(1))
  expect(unreadable).toEqual([
    ['job_item', 'owner', 'owner: Invalid input: expected string, received undefined'],
    ['job_item', 'owner', 'Invalid input: expected object, received null'],
  ])
})
