import { silentLog, tellNobody } from '@junctor/contracts'
import { createExchange } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { payloadOf } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { afterEach, expect, it } from 'vitest'
import { sampleSubmission } from '../test/support/sample-submission.ts'
import { createJobs } from './create-jobs.ts'
import type { Delivered } from './jobs/delivered.ts'
import type { JobKind, JobRecord } from './jobs/job-record.ts'
import { keyOf } from './jobs/job-record.ts'
import { defaultLimits } from './shared/limits.ts'
import { createTimetable } from './shared/timetable.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function start() {
  const now = Date.now
  const fabric = createMemoryFabric(createMemoryBus(now))
  const timetable = createTimetable(now, () => {})
  const delivered: Delivered[] = []
  let ids = 0
  const host = { nextId: () => `${fabric.node}-${(ids += 1)}`, now, asked() {}, answered() {}, closed() {} }
  const jobs = createJobs({
    fabric,
    host,
    isThere: async () => true,
    deliveries: {
      deliver: (_home, frame) => void delivered.push(frame),
      bring: async (_home, frame) => delivered.push(frame) > 0,
      close() {},
    },
    finder: { homeOf: (_id, last) => last },
    profileOf: () => mcpProfile,
    clock: { now, timetable },
    limits: defaultLimits,
    log: silentLog,
    tell: tellNobody,
    longestCallMs: () => 30_000,
  })
  const submit = async (kind: JobKind): Promise<JobRecord> => {
    const submitted = await jobs.desk.submit({ ...sampleSubmission(kind), home: fabric.node })
    if (submitted.kind !== 'stored') throw new Error(`expected a stored job, got ${submitted.kind}`)
    return submitted.record
  }
  closers.push(async () => {
    await fabric.close()
    timetable.close()
  })
  return { fabric, host, jobs, delivered, submit }
}

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
  closers.unshift(() => runner.close())
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
  closers.unshift(() => runner.close())
  expect(await waited).toMatchObject({ state: 'succeeded', node: fabric.node, outcome: { result: '"done"' } })
})
