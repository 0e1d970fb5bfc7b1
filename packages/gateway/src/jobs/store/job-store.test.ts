import type { Fabric } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { expect, it } from 'vitest'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { createJobIds, isUnpollableKey } from '../record/job-ids.ts'
import { keyOf } from '../record/job-record.ts'
import { createJobStore } from './job-store.ts'
import { newJobRecord } from '../record/submission.ts'

const nextId = createJobIds()

/** @param mayRestoreDeleted whether ended jobs must be marked as ended */
function start(mayRestoreDeleted = true) {
  let time = 1_000
  const now = (): number => time
  const memory = createMemoryFabric(createMemoryBus(now))
  const fabric: Pick<Fabric, 'store' | 'mayRestoreDeleted'> = {
    store: (name, ms) => memory.store(name, ms),
    mayRestoreDeleted,
  }
  const store = createJobStore(
    fabric,
    { pollable: 100_000, unpollable: () => 1_000 },
    now,
    expect.unreachable,
    () => {},
  )
  const accept = async (kind: 'queued' | 'task') => {
    const record = newJobRecord(sampleSubmission(kind), nextId(kind === 'task'), 'one', 100_000, time)
    return { key: keyOf(record), job: await store.create(keyOf(record), record) }
  }
  return { fabric, store, accept, advance: (ms: number) => (time += ms) }
}

const startOf = (fence: number) => ({ kind: 'start', fence, node: 'one', now: 1_000 }) as const

it('marks an ended job as ended, so that no node starts it again', async () => {
  const { store, accept } = start()
  const { key, job } = await accept('queued')
  const started = await store.change(key, startOf(1), job)
  if (started.kind !== 'moved') throw new Error('expected it to be started')
  await store.bury(key, started.job)
  expect(await store.find(key)).toEqual({ kind: 'over' })
  expect(await store.read(key)).toBeUndefined()
  expect(await store.change(key, startOf(2), job)).toEqual({ kind: 'unknown' })
  await expect(store.create(key, job.record)).rejects.toThrow('taken')
})

it('keeps nothing of an ended job when deletions are permanent', async () => {
  const { fabric, store, accept } = start(false)
  const [passing, kept] = [await accept('queued'), await accept('task')]
  const started = await store.change(passing.key, startOf(1), passing.job)
  if (started.kind !== 'moved') throw new Error('expected it to be started')
  await store.bury(passing.key, started.job)
  await store.forget(kept.key)
  for (const { key, job } of [passing, kept]) {
    expect(await store.find(key)).toEqual({ kind: 'over' })
    expect(await store.change(key, startOf(2), job)).toEqual({ kind: 'unknown' })
  }
  expect(await fabric.store('passing', 1_000).keys('')).toEqual([])
  expect(await fabric.store('jobs', 1_000).keys('')).toEqual([])
})

it('removes a job that was cancelled meanwhile, but not one that another node has started meanwhile', async () => {
  const { store, accept } = start()
  const cancelled = await accept('queued')
  await store.change(cancelled.key, { kind: 'cancel', outcome: { result: '1' }, now: 1_000 }, cancelled.job)
  await store.bury(cancelled.key, cancelled.job)
  expect(await store.find(cancelled.key)).toEqual({ kind: 'over' })
  const taken = await accept('queued')
  await store.change(taken.key, startOf(2), taken.job)
  await store.bury(taken.key, taken.job)
  expect(await store.find(taken.key)).toMatchObject({ kind: 'job', job: { record: { fence: 2 } } })
})

it.each([true, false])('withdraws a job once, and none that was started; marks: %j', async (marks) => {
  const { store, accept } = start(marks)
  const { key, job } = await accept('task')
  expect([await store.withdraw(key, job), await store.withdraw(key, job)]).toEqual([true, false])
  expect([await store.read(key), await store.find(key)]).toEqual([undefined, { kind: 'over' }])
  const started = await accept('task')
  await store.change(started.key, startOf(1), started.job)
  expect(await store.withdraw(started.key, started.job)).toBe(false)
  expect(await store.read(started.key)).toMatchObject({ record: { state: 'running' } })
})

it('keeps jobs that cannot be polled for a shorter time than others', async () => {
  const { store, accept, advance } = start()
  const [passing, kept] = [await accept('queued'), await accept('task')]
  expect([isUnpollableKey(passing.key), isUnpollableKey(kept.key)]).toEqual([true, false])
  await store.bury(passing.key, passing.job)
  advance(1_000)
  expect(await store.find(passing.key)).toEqual({ kind: 'nothing' })
  expect(await store.find(kept.key)).toMatchObject({ kind: 'job' })
  const { owner } = kept.job.record
  expect(await store.ofOwner(owner)).toHaveLength(1)
  await store.forget(kept.key)
  expect(await store.ofOwner(owner)).toEqual([])
})
