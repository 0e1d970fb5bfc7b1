import { describe, expect, it } from 'vitest'
import type { Outage } from '../chaos/strike.ts'
import type { Attempt } from './attempt.ts'
import { judgeAborts } from './judge-aborts.ts'
import { judgeAnswers } from './judge-answers.ts'
import { judgeCanaries } from './judge-canaries.ts'
import { judgeEndings } from './judge-endings.ts'
import { judgeJobs } from './judge-jobs.ts'
import { judgeProgress } from './judge-progress.ts'
import { judgeRolling } from './judge-rolling.ts'
import { judgeRuns } from './judge-runs.ts'
import { cancelledOutcome, type AttemptOutcome } from './outcome.ts'
import { readWaits, type Wait } from './wait.ts'

const error = (reason: string, retryable = false): AttemptOutcome => ({
  kind: 'error',
  code: -32_000,
  reason,
  retryable,
  backend: '',
  message: reason,
})

const lost: AttemptOutcome = { kind: 'lost', what: 'ECONNRESET' }

function attempt(more: Partial<Attempt> = {}): Attempt {
  const outcome: AttemptOutcome = { kind: 'result', text: 'c1.0.1' }
  const times = { began: 20_000, ended: 20_100 }
  return { id: 'c1.0.1', tool: 'append', ms: 0, kind: 'sdk v1', canary: 'c1', of: 0, ...times, outcome, ...more }
}

const outage = (from: number, until: number, role: Outage['target']['role'] = 'gateway'): Outage => ({
  target: { role, index: 0 },
  from,
  until,
})

it('an accepted call is answered once', () => {
  const accepted = attempt({ kind: 'queued', accepted: true })
  expect(judgeAnswers([accepted, attempt({ id: 'refused' })], new Map([['c1.0.1', 1]]))).toEqual([])
  expect(judgeAnswers([accepted], new Map())).toEqual([expect.stringContaining('never answered')])
  expect(judgeAnswers([accepted], new Map([['c1.0.1', 2]]))).toEqual([expect.stringContaining('more than once')])
})

describe('endings', () => {
  it.each<[string, AttemptOutcome, Outage[], boolean]>([
    ['a result', { kind: 'result', text: '' }, [], true],
    ['an error with a name', error('backend_exited'), [], true],
    ['an error without one', error(''), [], false],
    ['an internal error', error('internal_error'), [], false],
    ['silence', { kind: 'silent', what: '' }, [outage(20_000, 21_000)], false],
    ['a lost connection while a gateway is killed', lost, [outage(20_050, 21_000)], true],
    ['a lost connection when a gateway was just killed', lost, [outage(18_000, 19_000)], true],
    ['a lost connection long after a gateway was killed', lost, [outage(1_000, 2_000)], false],
    ['a lost connection while NATS is killed', lost, [outage(20_050, 21_000, 'nats')], false],
  ])('%s', (_what, outcome, outages, isRight) => {
    expect(judgeEndings([attempt({ outcome })], outages)).toHaveLength(isRight ? 0 : 1)
  })

  it('a client on the bus may lose its connection when NATS is killed', () => {
    const attempts = [attempt({ kind: 'bus', outcome: lost })]
    expect(judgeEndings(attempts, [outage(20_050, 21_000, 'nats')])).toEqual([])
    expect(judgeEndings(attempts, [outage(20_050, 21_000, 'worker')])).toHaveLength(1)
    // It notices that at its next use.
    expect(
      judgeEndings([attempt({ kind: 'bus', outcome: lost, began: 40_000, ended: 40_010 })], [outage(17_000, 19_000)]),
    ).toEqual([])
  })
})

describe('runs', () => {
  it.each<[string, Partial<Attempt>, number, boolean]>([
    ['a result after one run', {}, 1, true],
    ['a result after none', {}, 0, false],
    ['two runs', {}, 2, false],
    ['two runs of what may run twice', { tool: 'slow' }, 2, true],
    ['two runs and an error', { outcome: error('backend_exited') }, 2, false],
    ['a run that was lost', { outcome: lost }, 1, true],
    ['no run that was lost', { outcome: lost }, 0, true],
    ['a run, and an error that denies one', { outcome: error('overloaded', true) }, 1, false],
    ['a run of a call that was never sent', { outcome: { kind: 'refused', what: '' } }, 1, false],
  ])('%s', (_what, more, count, isRight) => {
    expect(judgeRuns([attempt(more)], new Map([['c1.0.1', count]]))).toHaveLength(isRight ? 0 : 1)
  })

  it('a run without a call is a fault', () => {
    expect(judgeRuns([], new Map([['c1.0.1', 1]]))).toHaveLength(1)
  })
})

it('results belong to their calls, and no client receives a message of another', () => {
  const result = (text: string): AttemptOutcome => ({ kind: 'result', text })
  expect(judgeCanaries([attempt(), attempt({ tool: 'ask', outcome: result('Hello c1, …') })], [])).toEqual([])
  expect(judgeCanaries([attempt({ outcome: result('c2.0.1') })], [])).toHaveLength(1)
  expect(judgeCanaries([attempt({ tool: 'ask', outcome: result('Hello c11, …') })], [])).toHaveLength(1)
  expect(judgeCanaries([], ['c1: an answer to c2.0.1'])).toHaveLength(1)
})

it('jobs are over, and the same at every gateway', () => {
  const reading = (gateway: string, state: string, outcome = '{}') => ({ job: 'j_1', gateway, state, outcome })
  expect(judgeJobs([reading('a', 'succeeded'), reading('b', 'succeeded')])).toEqual([])
  expect(judgeJobs([reading('a', 'running'), reading('b', 'running')])).toHaveLength(1)
  expect(judgeJobs([reading('a', 'succeeded'), reading('b', 'failed')])).toHaveLength(1)
  expect(judgeJobs([reading('a', 'succeeded', '1'), reading('b', 'succeeded', '2')])).toHaveLength(1)
  expect(judgeJobs([reading('a', 'unknown_resource', ''), reading('b', 'unknown_resource', '')])).toHaveLength(1)
})

describe('aborts', () => {
  const abort = attempt({ tool: 'abort', outcome: cancelledOutcome })
  const wait = (notified?: number): Wait => ({ id: abort.id, pid: 7, ...(notified !== undefined && { notified }) })

  it.each<[string, Wait[], Outage[], number[], boolean]>([
    ['a tool that was cancelled', [wait(20_200)], [], [7], true],
    ['a tool that was cancelled late', [wait(30_000)], [], [7], false],
    [
      'a tool that was cancelled late when a worker was killed',
      [wait(30_000)],
      [outage(19_000, 19_500, 'worker')],
      [7],
      true,
    ],
    ['a tool that was cancelled late, after the outage', [wait(30_000)], [outage(9_000, 9_500)], [7], false],
    ['a tool that was killed', [wait()], [outage(20_050, 21_000, 'worker')], [], true],
    ['a tool that was never cancelled', [wait()], [outage(20_050, 21_000, 'worker')], [7], false],
    ['a tool that never ran', [], [], [7], false],
  ])('%s', (_what, waits, outages, running, isRight) => {
    expect(judgeAborts([abort], waits, outages, new Set(running))).toHaveLength(isRight ? 0 : 1)
  })

  it('other ends of a call are not judged', () => {
    expect(judgeAborts([attempt({ tool: 'abort', outcome: error('deadline_exceeded') })], [], [], new Set())).toEqual(
      [],
    )
  })

  it('are read as they were written', () => {
    const line = (what: string, id: string, at: number): string => `${JSON.stringify({ what, id, pid: 7, at })}\n`
    const at = performance.timeOrigin + 5
    expect(readWaits(line('began', 'a', at) + line('began', 'b', at) + line('notified', 'a', at))).toEqual([
      { id: 'a', pid: 7, notified: 5 },
      { id: 'b', pid: 7 },
    ])
  })
})

it('clients and calls of every kind succeed', () => {
  const many = (more: Partial<Attempt>): Attempt[] => Array.from({ length: 20 }, () => attempt(more))
  const failed = many({ outcome: error('overloaded', true) })
  expect(judgeProgress([...failed, attempt()])).toEqual([])
  expect(judgeProgress(failed.slice(1))).toEqual([])
  expect(judgeProgress(failed)).toHaveLength(2)
  expect(judgeProgress(many({ tool: 'abort', outcome: cancelledOutcome }))).toEqual([])
})

it('in a rolling restart the last attempt of each call has a result', () => {
  expect(judgeRolling([attempt({ outcome: lost }), attempt()])).toEqual([])
  expect(judgeRolling([attempt(), attempt({ outcome: lost })])).toHaveLength(1)
})
