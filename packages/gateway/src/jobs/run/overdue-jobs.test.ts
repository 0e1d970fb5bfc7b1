import { type Fabric, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { mcpProfile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import { createDeadlines } from '../../shared/deadlines.ts'
import { LargeRequests } from '../../shared/large-requests.ts'
import type { JobFrame } from '../delivery/job-frame.ts'
import { createJobIds } from '../record/job-ids.ts'
import type { JobItem } from '../record/job-item.ts'
import { type JobKind, type JobRecord, keyOf, runningOn } from '../record/job-record.ts'
import type { JobRun } from './job-run.ts'
import { createJobStore } from '../store/job-store.ts'
import { createOverdueJobs, overdueAction } from './overdue-jobs.ts'
import { createOpenJobs } from '../store/open-jobs.ts'
import type { Found } from '../store/stored-records.ts'
import { newJobRecord, type Submission } from '../record/submission.ts'

const began = 1_000_000
const ttlMs = 300_000
const nextId = createJobIds()

/** A submission whose request has the id 7. */
const submissionOf = (kind: JobKind): Submission => sampleSubmission(kind, 7)

function recordOf(kind: JobKind): JobRecord {
  return newJobRecord(submissionOf(kind), nextId(kind !== 'queued'), 'one', ttlMs, began)
}

const stored = (record: JobRecord, more: Partial<JobRecord> = {}): Found => ({
  kind: 'job',
  job: { record: { ...record, ...more }, revision: 1 },
})

it.each([
  ['is over', 'queued', { kind: 'over' }, 0, { kind: 'over' }],
  ['was answered', 'task', { state: 'succeeded' }, 0, { kind: 'over' }],
  ['waits', 'queued', {}, 0, { kind: 'push' }],
  ['runs', 'task', { state: 'running' }, 0, { kind: 'push' }],
  ['was cancelled, and is not answered', 'queued', { state: 'cancelled' }, 0, { kind: 'push' }],
  ['is past its time', 'queued', {}, ttlMs, { kind: 'fail', situation: 'deadline_exceeded' }],
  ['is lost', 'queued', { kind: 'nothing' }, 0, { kind: 'fail', situation: 'outcome_unknown' }],
  ['is lost and past its time', 'queued', { kind: 'nothing' }, ttlMs, { kind: 'fail', situation: 'deadline_exceeded' }],
  ['is over and past its time', 'queued', { kind: 'over' }, ttlMs, { kind: 'over' }],
] as const)('a job %s (%s)', (_what, kind, found, afterMs, missed) => {
  const record = recordOf(kind)
  const isFound = 'kind' in found
  expect(overdueAction(record, isFound ? found : stored(record, found), began + afterMs)).toEqual(missed)
})

function start() {
  let time = began
  const now = (): number => time
  const fabric = createMemoryFabric(createMemoryBus(now), 'one')
  const deadlines = createDeadlines(now, () => {})
  onTestFinished(async () => {
    await fabric.close()
    deadlines.close()
  })
  // A job without a record was lost.
  const forgetful: Pick<Fabric, 'store' | 'mayRestoreDeleted'> = {
    store: (name, ms) => fabric.store(name, ms),
    mayRestoreDeleted: true,
  }
  const store = createJobStore(
    forgetful,
    { pollable: ttlMs, unpollable: () => ttlMs + 60_000 },
    now,
    expect.unreachable,
    () => {},
  )
  const open = createOpenJobs(defaultGatewayLimits, new LargeRequests())
  const delivered: JobFrame[] = []
  const pushed: string[] = []
  const items: JobItem[] = []
  const storage = { isAway: false }
  const deliveries = {
    async deliverSurely(_home: string, frame: JobFrame) {
      if (storage.isAway) throw new Error('storage is away')
      return delivered.push(frame) > 0
    },
  }
  const working = new Map<string, JobRun>()
  const parts = {
    store,
    runs: working,
    deliveries,
    clock: { now, deadlines },
    log: silentLog,
    profileOf: () => mcpProfile,
  }
  const missed = createOverdueJobs(parts, open, async (key, item = key) => {
    pushed.push(key)
    items.push(item)
  })
  const accept = async (kind: JobKind): Promise<string> => {
    const record = recordOf(kind)
    const key = keyOf(record)
    open.add(key, record, submissionOf(kind))
    await store.create(key, record)
    return key
  }
  /** A job that is stored only as an item has no record. */
  const hold = (): JobRecord => {
    const came = recordOf('queued')
    const record = runningOn(came, 'one')
    open.add(keyOf(record), came, submissionOf('queued'))
    open.held(keyOf(record), record)
    return record
  }
  const advance = (ms: number) => (time += ms)
  return { store, storage, open, delivered, pushed, items, working, missed, accept, hold, advance }
}

it('requeues a job without news, with a longer wait each time', async () => {
  const { pushed, missed, accept, advance, open } = start()
  const key = await accept('task')
  const looks: number[] = []
  for (let second = 1; second <= 240; second += 1) {
    advance(1_000)
    const before = pushed.length
    missed.sweep()
    await new Promise((resolve) => setImmediate(resolve))
    if (pushed.length > before) looks.push(second)
  }
  expect(looks).toEqual([30, 60, 120, 240])
  expect(pushed[0]).toBe(key)
  expect(open.size).toBe(1)
})

it('queues a job that is stored only as an item, unless it runs here or has ended', async () => {
  const { store, items, delivered, working, missed, hold, advance, open } = start()
  const record = hold()
  const key = keyOf(record)
  // Only its presence in the list of runs matters.
  working.set(key, {} as JobRun)
  advance(30_000)
  missed.sweep()
  await new Promise((resolve) => setImmediate(resolve))
  expect(items).toEqual([])
  working.clear()
  advance(30_000)
  missed.sweep()
  await eventually(() => expect(items).toEqual([record]))
  await store.forget(key)
  advance(120_000)
  missed.sweep()
  await eventually(() => expect(open.size).toBe(0))
  expect([items.length, delivered]).toEqual([1, []])
})

it('answers lost jobs and jobs whose time is over, and forgets ended ones', async () => {
  const { store, delivered, missed, accept, advance, open } = start()
  const [lost, over] = [await accept('queued'), await accept('task')]
  await store.clear(lost)
  await store.forget(over)
  advance(30_000)
  missed.sweep()
  await eventually(() => expect(open.size).toBe(0))
  expect(delivered).toMatchObject([{ session: 's', last: true }])
  expect(JSON.parse(delivered[0]?.text ?? '')).toMatchObject({ id: 7, error: { data: { reason: 'outcome_unknown' } } })
  await accept('queued')
  advance(ttlMs)
  missed.sweep()
  await eventually(() => expect(open.size).toBe(0))
  expect(JSON.parse(delivered[1]?.text ?? '')).toMatchObject({ error: { data: { reason: 'deadline_exceeded' } } })
})

it('delivers the error for a lost job as soon as the storage allows it', async () => {
  const { store, storage, missed, accept, advance, open, delivered } = start()
  await store.clear(await accept('queued'))
  storage.isAway = true
  advance(30_000)
  missed.sweep()
  // An unhandled rejection would end the process and fail this run.
  await new Promise((resolve) => setImmediate(resolve))
  expect([open.size, delivered]).toEqual([1, []])
  storage.isAway = false
  advance(60_000)
  missed.sweep()
  await eventually(() => expect(open.size).toBe(0))
  expect(delivered).toMatchObject([{ session: 's', last: true }])
})
