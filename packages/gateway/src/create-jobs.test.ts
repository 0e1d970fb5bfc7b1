import { type Fabric, type Held, silentLog, emitNothing } from '@junctor/contracts'
import { createExchange } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric, type MemoryBus } from '@junctor/fabric'
import { type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { sampleSubmission } from '../test/support/sample-submission.ts'
import { createJobs } from './create-jobs.ts'
import type { JobFrame } from './jobs/delivery/job-frame.ts'
import { type JobKind, type JobRecord, keyOf } from './jobs/record/job-record.ts'
import { LargeRequests } from './shared/large-requests.ts'
import { defaultGatewayLimits } from './shared/limits.ts'
import { createDeadlines } from './shared/deadlines.ts'

function start(bus: MemoryBus = createMemoryBus(), through: (fabric: Fabric) => Fabric = (fabric) => fabric) {
  const now = Date.now
  const fabric = through(createMemoryFabric(bus))
  const deadlines = createDeadlines(now, () => {})
  const delivered: JobFrame[] = []
  const longest = { callMs: 30_000 }
  let ids = 0
  const host = { nextId: () => `${fabric.node}-${(ids += 1)}`, now, asked() {}, answered() {}, closed() {} }
  const jobs = createJobs({
    fabric,
    host,
    isPresent: async () => true,
    deliveries: {
      deliver: (_home, frame) => void delivered.push(frame),
      deliverSurely: async (_home, frame) => delivered.push(frame) > 0,
      close() {},
    },
    finder: { homeOf: (_id, last) => last },
    profileOf: () => mcpProfile,
    clock: { now, deadlines },
    limits: defaultGatewayLimits,
    large: new LargeRequests(),
    log: silentLog,
    emit: emitNothing,
    unreadable: expect.unreachable,
    longestCallMs: () => longest.callMs,
  })
  /** @param session undefined: any node that takes it runs it */
  const submit = async (kind: JobKind, { session }: { session?: string } = { session: 's' }): Promise<JobRecord> => {
    const sample = sampleSubmission(kind)
    const context = { ...sample.context, session }
    const submitted = await jobs.desk.submit({ ...sample, context, home: fabric.node })
    if (submitted.kind !== 'stored') throw new Error(`expected a stored job, got ${submitted.kind}`)
    return submitted.record
  }
  onTestFinished(async () => {
    await fabric.close()
    deadlines.close()
  })
  return { bus, fabric, host, jobs, delivered, longest, submit }
}

/** Keys of the records of jobs that no client can ask for, as another node sees them. */
async function recordsOn(bus: MemoryBus): Promise<readonly string[]> {
  const spy = createMemoryFabric(bus)
  const keys = await spy.store('passing', 60_000).keys('')
  await spy.close()
  return keys
}

it('a reload that allows longer calls allows them to jobs that no client can ask for, and keeps their records', async () => {
  const kept: number[] = []
  const { longest, submit } = start(undefined, (fabric) => {
    const storeOf: Fabric['store'] = fabric.store.bind(fabric)
    const store: Fabric['store'] = (name, ttlMs) => {
      if (name === 'passing') kept.push(ttlMs)
      return storeOf(name, ttlMs)
    }
    return Object.assign(fabric, { store })
  })
  const { ttlMs } = await submit('queued')
  longest.callMs = 2 * ttlMs
  expect(await submit('queued', { session: 'other' })).toMatchObject({ ttlMs: 4 * ttlMs })
  expect(kept.map((ms) => ms > 4 * ttlMs)).toEqual([false, true])
})

it('a desk accepts jobs, shows them and cancels them before any node runs them', async () => {
  const { jobs, delivered, submit } = start()
  const [waiting, unwanted] = [await submit('task'), await submit('task')]
  expect(await jobs.desk.cancel(keyOf(unwanted))).toMatchObject({ kind: 'cancelled' })
  expect(delivered.map(({ job, text }) => [job, JSON.parse(text).params.status])).toEqual([[unwanted.id, 'cancelled']])
  expect(await jobs.desk.read(keyOf(waiting))).toMatchObject({ state: 'queued' })
  const ran: unknown[] = []
  const runner = jobs.run(({ id }) => {
    ran.push(id)
    return { kind: 'complete', result: payloadOf('done') }
  })
  onTestFinished(() => runner.close())
  await eventually(async () => expect(await jobs.desk.read(keyOf(waiting))).toMatchObject({ state: 'succeeded' }))
  await eventually(() => expect(jobs.desk.open).toBe(0))
  expect(ran).toHaveLength(1)
})

it('a client that waits at the desk gets the answer when a node runs the job later', async () => {
  const { fabric, host, jobs, submit } = start()
  const { request, context } = sampleSubmission('async')
  const record = await submit('async')
  const init = { id: host.nextId(), request, context, deadline: Infinity, attempt: 1 }
  const waited = jobs.desk.wait(keyOf(record), createExchange(init, host))
  const runner = jobs.run(async () => ({ kind: 'complete', result: payloadOf('done') }))
  onTestFinished(() => runner.close())
  expect(await waited).toMatchObject({ state: 'succeeded', node: fabric.node, outcome: { result: '"done"' } })
})

it('a job that is answered on a stream runs at its own node after it was accepted, and only its item is stored', async () => {
  const { bus, jobs, delivered, submit } = start()
  const gate = Promise.withResolvers<void>()
  const ran: unknown[] = []
  const runner = jobs.run(async (_request, { attempt }) => {
    ran.push(attempt)
    await gate.promise
    return { kind: 'complete', result: payloadOf('done') }
  })
  onTestFinished(() => runner.close())
  await submit('queued')
  expect(ran).toEqual([])
  await eventually(() => expect(ran).toEqual([1]))
  expect([await recordsOn(bus), runner.isAtRest, jobs.desk.open]).toEqual([[], false, 1])
  gate.resolve()
  await eventually(() => expect([jobs.desk.open, delivered.length]).toEqual([0, 1]))
  expect(JSON.parse(delivered[0]?.text ?? '')).toMatchObject({ id: 1, result: 'done' })
  expect(await recordsOn(bus)).toEqual([])
})

it('a record is stored before a client sees a part of a job, so that no other node runs the job again', async () => {
  const one = start()
  const two = start(one.bus)
  const runner = one.jobs.run((_request, exchange) => {
    exchange.notify({ method: 'notifications/message', params: payloadOf({ level: 'info', data: 'seen' }) })
    return new Promise(() => {})
  })
  const ran: unknown[] = []
  onTestFinished(() => runner.close())
  await one.submit('queued')
  await eventually(() => expect(one.delivered).toHaveLength(1))
  expect(await recordsOn(one.bus)).toHaveLength(1)
  const other = two.jobs.run(() => ({ kind: 'complete', result: payloadOf(ran.push('again')) }))
  onTestFinished(() => other.close())
  await one.fabric.close()
  await eventually(() => expect(two.delivered).toHaveLength(1))
  expect(JSON.parse(two.delivered[0]?.text ?? '')).toMatchObject({ error: { data: { reason: 'outcome_unknown' } } })
  expect(ran).toEqual([])
})

it('a node that is lost with a job of which nothing was seen leaves it to another, as a second attempt', async () => {
  const one = start()
  const two = start(one.bus)
  const runner = one.jobs.run(() => new Promise(() => {}))
  const attempts: number[] = []
  onTestFinished(() => runner.close())
  await one.submit('queued', {})
  const other = two.jobs.run((_request, { attempt }) => {
    attempts.push(attempt)
    return { kind: 'complete', result: payloadOf('done') }
  })
  onTestFinished(() => other.close())
  await one.fabric.close()
  await eventually(() => expect(attempts).toEqual([2]))
})

it('a job that is cancelled at the node that runs it ends, although no record of it was written', async () => {
  const { jobs, delivered, submit } = start()
  const runner = jobs.run(() => new Promise(() => {}))
  onTestFinished(() => runner.close())
  const record = await submit('queued')
  expect(await jobs.desk.cancel(keyOf(record))).toMatchObject({ kind: 'cancelled', record: { id: record.id } })
  await eventually(() => expect(jobs.desk.open).toBe(0))
  // As for every request that its client takes back.
  expect(delivered.map(({ text }) => text)).toEqual([''])
  expect(await jobs.desk.cancel(keyOf(record))).toEqual({ kind: 'unknown' })
})

/** A fabric whose stores have lost all records for readers, and refuse writes while `isDown`. */
function forgetful(storage: { isDown: boolean }) {
  return (fabric: Fabric): Fabric => {
    const storeOf: Fabric['store'] = fabric.store.bind(fabric)
    const store = (name: string, ttlMs: number) => {
      const real = storeOf<JsonValue>(name, ttlMs)
      return {
        ...real,
        get: async () => undefined,
        keys: (prefix: string) => real.keys(prefix),
        delete: (key: string) => real.delete(key),
        put(key: string, value: JsonValue, revision?: number) {
          return storage.isDown ? Promise.reject(new Error('down')) : real.put(key, value, revision)
        },
      }
    }
    return Object.assign(fabric, { store })
  }
}

it('a task is cancelled at the node that runs it only when that is stored, although its record cannot be read', async () => {
  const storage = { isDown: false }
  const { bus, jobs, submit } = start(createMemoryBus(), forgetful(storage))
  const started = Promise.withResolvers<void>()
  const runner = jobs.run(() => {
    started.resolve()
    return new Promise(() => {})
  })
  onTestFinished(() => runner.close())
  const key = keyOf(await submit('task'))
  await started.promise
  storage.isDown = true
  await expect(jobs.desk.cancel(key)).rejects.toThrow('down')
  storage.isDown = false
  expect(await jobs.desk.cancel(key)).toMatchObject({ kind: 'cancelled', record: { state: 'cancelled' } })
  const spy = createMemoryFabric(bus)
  expect(await spy.store('jobs', 60_000).get(key)).toMatchObject({ value: { state: 'cancelled' } })
  await spy.close()
})

/** A fabric that does something else when a job is held. */
function holding(instead: (held: () => Promise<Held<JsonValue>>) => Promise<Held<JsonValue>>) {
  return (fabric: Fabric): Fabric => {
    const queueOf: Fabric['queue'] = fabric.queue.bind(fabric)
    const queue = (name: string, leaseMs: number) => {
      const real = queueOf<JsonValue>(name, leaseMs)
      return {
        push: (id: string, value: JsonValue) => real.push(id, value),
        take: (signal: AbortSignal) => real.take(signal),
        hold: (id: string, value: JsonValue) => instead(() => real.hold(id, value)),
      }
    }
    return Object.assign(fabric, { queue })
  }
}

it('a job that is stored while its node stops taking jobs goes to another node, as not run', async () => {
  const stored = Promise.withResolvers<void>()
  const one = start(
    undefined,
    holding(async (hold) => {
      const held = await hold()
      await stored.promise
      return held
    }),
  )
  const two = start(one.bus)
  const ran: unknown[] = []
  const runner = one.jobs.run(() => ({ kind: 'complete', result: payloadOf(ran.push('here')) }))
  const accepted = one.submit('queued', {})
  await new Promise((resolve) => setImmediate(resolve))
  const drained = runner.drain()
  const other = two.jobs.run((_request, { attempt }) => ({ kind: 'complete', result: payloadOf(ran.push(attempt)) }))
  onTestFinished(() => runner.close())
  onTestFinished(() => other.close())
  stored.resolve()
  await Promise.all([accepted, drained])
  await eventually(() => expect(ran).toEqual([1]))
})

it('a job that cannot be stored is refused, and no node runs it, even if it was stored after all', async () => {
  const error = new Error('no answer')
  const one = start(
    undefined,
    holding(async (hold) => {
      const held = await hold()
      // As if its node had been taken for lost: others get it.
      if (held.kind === 'lent') await held.lease.release()
      return { kind: 'unknown', error }
    }),
  )
  const ran: unknown[] = []
  const runner = one.jobs.run(() => ({ kind: 'complete', result: payloadOf(ran.push('here')) }))
  onTestFinished(() => runner.close())
  await expect(one.submit('queued')).rejects.toThrow('refused')
  await eventually(() => expect(runner.isAtRest).toBe(true))
  expect([ran, one.delivered, one.jobs.desk.open]).toEqual([[], [], 0])
})
