import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../../test/support/sample-job.ts'
import type { JobRecord, JobState } from './job-record.ts'
import { type JobChange, jobTransition } from './job-transition.ts'

const queued: JobRecord = {
  ...sampleJob,
  request: { ...sampleJob.request, dialect: '3.0', options: '{"stream":true}' },
}
const running: JobRecord = { ...queued, state: 'running', fence: 5, attempt: 1, node: 'one' }
const outcome = { result: '{}' }
const start = (fence: number, now = 1001): JobChange => ({ kind: 'start', fence, node: 'two', now })
const end = (fence: number): JobChange => ({ kind: 'end', fence, state: 'succeeded', outcome, now: 1002 })
const cancel: JobChange = { kind: 'cancel', outcome, now: 1003 }

it('the progress of a job is kept until the job ends or is put back', () => {
  const progress = { progress: 1, total: 2 }
  const further = jobTransition(running, { kind: 'progress', fence: 5, progress, now: 1002 })
  expect(further).toEqual({ kind: 'moved', record: { ...running, progress, updatedAt: 1002 } })
  const far = { ...running, progress }
  for (const change of [end(5), cancel, { kind: 'put_back', fence: 5, mayHaveRun: true, now: 1002 } as const]) {
    const moved = jobTransition(far, change)
    expect(moved.kind).toBe('moved')
    expect(moved).not.toHaveProperty('record.progress')
  }
  expect(jobTransition(running, { kind: 'progress', fence: 4, progress, now: 1002 })).toEqual({ kind: 'stale' })
})

describe('a job that is started', () => {
  it('is run by that node, with that fence', () => {
    expect(jobTransition(queued, start(3))).toEqual({
      kind: 'moved',
      record: { ...queued, state: 'running', node: 'two', fence: 3, attempt: 1, updatedAt: 1001 },
    })
  })

  it('is run again with a later lease, a few times', () => {
    const again = jobTransition(running, start(6))
    expect(again).toMatchObject({ kind: 'moved', record: { attempt: 2, fence: 6, node: 'two' } })
    expect(jobTransition({ ...running, attempt: 5 }, start(7))).toEqual({ kind: 'unknown_outcome' })
  })

  it('is not run again when a client has seen a part of it', () => {
    expect(jobTransition({ ...running, emitted: true }, start(6))).toEqual({ kind: 'unknown_outcome' })
    expect(jobTransition({ ...running, emitted: true, state: 'input_required' }, start(6))).toEqual({
      kind: 'unknown_outcome',
    })
  })

  it('is not run with an old or used lease', () => {
    expect(jobTransition(running, start(4))).toEqual({ kind: 'stale' })
    expect(jobTransition(running, start(5))).toEqual({ kind: 'stale' })
  })

  it('is not run when its time is over', () => {
    expect(jobTransition(queued, start(3, 1099)).kind).toBe('moved')
    expect(jobTransition(queued, start(3, 1100))).toEqual({ kind: 'too_late' })
  })
})

describe('a job that runs', () => {
  it('stays marked as emitted, and waits for its client in between', () => {
    const emitted = jobTransition(running, { kind: 'emit', fence: 5, now: 1002 })
    expect(emitted).toEqual({ kind: 'moved', record: { ...running, emitted: true, updatedAt: 1002 } })
    expect(emitted.kind === 'moved' && jobTransition(emitted.record, { kind: 'emit', fence: 5, now: 1003 })).toEqual({
      kind: 'same',
    })
    const asked = jobTransition(running, { kind: 'ask', fence: 5, now: 1002 })
    expect(asked).toMatchObject({ record: { state: 'input_required' } })
    expect(jobTransition(running, { kind: 'go_on', fence: 5, now: 1002 })).toEqual({ kind: 'same' })
    expect(asked.kind === 'moved' && jobTransition(asked.record, { kind: 'go_on', fence: 5, now: 1003 })).toMatchObject(
      {
        record: { state: 'running' },
      },
    )
  })

  it('ends with its result, and drops the params of its request and the token of its caller', () => {
    const { params: _params, ...request } = running.request
    expect(jobTransition({ ...running, callerToken: 'sealed' }, end(5))).toEqual({
      kind: 'moved',
      record: { ...running, request, state: 'succeeded', outcome, updatedAt: 1002 },
    })
  })

  it('ignores changes from a node that has lost it', () => {
    const stale: readonly JobChange[] = [
      end(4),
      { kind: 'emit', fence: 4, now: 1 },
      { kind: 'ask', fence: 4, now: 1 },
      { kind: 'go_on', fence: 4, now: 1 },
      { kind: 'put_back', fence: 4, mayHaveRun: true, now: 1 },
    ]
    for (const change of stale) expect(jobTransition(running, change)).toEqual({ kind: 'stale' })
  })

  it('goes back to the queue, and an attempt that did not run does not count', () => {
    const { node: _node, ...waiting } = { ...running, state: 'queued' as const, updatedAt: 1002 }
    const lost = jobTransition(running, { kind: 'put_back', fence: 5, mayHaveRun: true, now: 1002 })
    expect(lost).toEqual({ kind: 'moved', record: { ...waiting, tries: 0 } })
    const back = jobTransition(running, { kind: 'put_back', fence: 5, mayHaveRun: false, now: 1002 })
    expect(back).toEqual({ kind: 'moved', record: { ...waiting, attempt: 0, tries: 1 } })
    // The answer to a write may be lost, and the write is tried again.
    for (const mayHaveRun of [true, false]) {
      const again = { kind: 'put_back', fence: 5, mayHaveRun, now: 1003 } as const
      expect(back.kind === 'moved' && jobTransition(back.record, again)).toEqual({ kind: 'same' })
    }
    expect(back.kind === 'moved' && jobTransition(back.record, start(6))).toMatchObject({
      record: { state: 'running', attempt: 1, tries: 1 },
    })
  })

  it('is cancelled without a lease', () => {
    expect(jobTransition(running, cancel)).toMatchObject({ record: { state: 'cancelled', outcome } })
    expect(jobTransition(queued, cancel)).toMatchObject({ record: { state: 'cancelled', outcome } })
  })
})

describe('a job that is over', () => {
  it.each(['succeeded', 'failed', 'cancelled', 'expired'] satisfies JobState[])('stays %s', (state) => {
    const over: JobRecord = { ...running, state, outcome: { result: '{"kept":1}' } }
    const changes = [start(9), end(9), cancel, { kind: 'emit', fence: 9, now: 1 }, { kind: 'ask', fence: 9, now: 1 }]
    for (const change of changes as JobChange[]) expect(jobTransition(over, change)).toEqual({ kind: 'final' })
  })
})
