import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../storm/ledger/outcome.ts'
import type { FuzzAnswer, FuzzCall, FuzzLedger, FuzzOutage, FuzzQuestion, FuzzSession } from './fuzz-ledger.ts'
import { judgeFuzz } from './fuzz-verdict.ts'

const done: AttemptOutcome = { kind: 'result', text: 'Did nothing for 5 ms' }
const right: FuzzAnswer = { at: 10_020, outcome: done }
const error = (reason: string, retryable = false): FuzzAnswer => ({
  at: 10_020,
  outcome: { kind: 'error', code: -1, reason, retryable, backend: '', message: '' },
})
const call = (more: Partial<FuzzCall> = {}): FuzzCall => ({
  name: '0-1',
  id: '1',
  kind: 'queue',
  ms: 5,
  node: 0,
  began: 10_010,
  ended: 10_020,
  status: 202,
  answers: [right],
  isLeft: false,
  questions: [],
  ...more,
})
const inline = (more: Partial<FuzzCall> = {}): FuzzCall => call({ kind: 'inline', status: 200, ...more })
const task = (more: Partial<FuzzCall> = {}): FuzzCall =>
  call({ kind: 'task', status: 200, job: 't', end: { updated: 0, state: 'completed', outcome: done }, ...more })
const session = (calls: FuzzCall[], more: Partial<FuzzSession> = {}): FuzzSession => ({
  id: 's',
  client: 0,
  kind: 'saas',
  node: 0,
  began: 10_000,
  calls,
  cursorless: 0,
  forgotten: [],
  foreign: [],
  ...more,
})
const quiet: FuzzLedger = { sessions: [], outages: [], crashes: [], left: [], codes: [0, 0] }
const judge = (...sessions: FuzzSession[]): readonly string[] => judgeFuzz({ ...quiet, sessions })
const during = (outages: FuzzOutage[], sessions: FuzzSession[], nodes = 2): readonly string[] =>
  judgeFuzz({ ...quiet, sessions, outages, codes: Array.from({ length: nodes }, () => 0) })

const killed = (node: number, began = 10_015): FuzzOutage => ({
  node,
  how: 'kill',
  began,
  ended: began + 9,
  code: null,
})
const paused = (node: number): FuzzOutage => ({ node, how: 'pause', began: 10_015, ended: 10_024 })
const asked = (node: number): FuzzOutage => ({
  node,
  how: 'terminate',
  began: 10_012,
  ended: 10_014,
  code: 0,
})
const noNats = {
  server: 0,
  how: 'nats',
  isOneOfMany: false,
  stayedAway: [] as number[],
  began: 10_015,
  ended: 10_018,
} as const

describe('accepted calls', () => {
  const lost = (node: number): FuzzSession => session([call({ answers: [] })], { node })

  it('are answered once', () => {
    expect(judge(session([call()]))).toEqual([])
    expect(judge(lost(0))).toEqual([expect.stringContaining('never answered')])
    expect(judge(session([call({ answers: [right, right] })]))).toEqual([expect.stringContaining('2 answers')])
  })

  it('are answered at most twice for a client without a cursor', () => {
    const twice = call({ answers: [right, right] })
    expect(judge(session([twice], { cursorless: 1 }))).toEqual([])
    expect(judge(session([call({ answers: [right, right, right] })], { cursorless: 1 }))).toHaveLength(1)
    expect(judge(session([twice], { cursorless: 1, kind: 'plain' }))).toHaveLength(1)
  })

  it("are answered with their tool's text, in every outage", () => {
    const other = call({ answers: [{ ...right, outcome: { kind: 'result', text: 'Did nothing for 6 ms' } }] })
    expect(judge(session([other]))).toEqual([expect.stringContaining('for 6 ms')])
    const failed = session([call({ answers: [error('backend_exited')] })])
    for (const outages of [[], [killed(1)], [asked(0)], [noNats]]) expect(during(outages, [failed])).toHaveLength(1)
  })

  it('need no answer when the client ended the session or cancelled the call', () => {
    expect(judge(session([call({ answers: [] })], { ended: 10_021 }))).toEqual([])
    expect(judge(session([call({ answers: [], isLeft: true })]))).toEqual([])
    expect(judge(session([call({ answers: [error('cancelled')], isLeft: true })]))).toEqual([])
  })

  it('need no answer when their home was killed, and only then', () => {
    expect(during([killed(0)], [lost(0)])).toEqual([])
    expect(during([killed(0)], [lost(1)])).toHaveLength(1)
    expect(during([paused(0)], [lost(0)])).toEqual([])
    expect(during([paused(0)], [lost(1)])).toHaveLength(1)
    expect(during([asked(1)], [lost(1)])).toHaveLength(1)
    expect(during([noNats], [lost(1)])).toHaveLength(1)
  })

  it('need no answer when the node that had adopted their session was killed, and only then', () => {
    const later = 10_030
    expect(during([asked(1), killed(0, later)], [lost(1)])).toEqual([])
    expect(during([asked(1), killed(1, later)], [lost(1)])).toHaveLength(1)
    expect(during([asked(0), killed(0, later)], [lost(1)])).toHaveLength(1)
    expect(during([asked(1), killed(2, later)], [lost(1)], 3)).toEqual([])
    // A node that did not end in time was killed.
    expect(during([{ ...asked(0), code: null } as FuzzOutage], [lost(0)])).toEqual([expect.stringContaining('SIGKILL')])
  })

  it('need an answer when the kill was before the session', () => {
    expect(during([killed(0, 9_000)], [lost(0)])).toHaveLength(1)
  })
})

describe('an inline call', () => {
  const plain = (made: FuzzCall, more: Partial<FuzzSession> = {}): FuzzSession =>
    session([made], { kind: 'plain', node: 1, ...more })

  it('keeps its connection, unless the node that it was sent to went away', () => {
    const cut = plain(inline({ status: undefined, answers: [] }))
    expect(judge(cut)).toEqual([expect.stringContaining('connection')])
    expect(during([asked(0)], [cut])).toEqual([])
    expect(during([asked(1)], [cut])).toHaveLength(1)
    expect(during([noNats], [cut])).toHaveLength(1)
  })

  it('has its answer on the stream that it began', () => {
    const empty = plain(inline({ answers: [] }))
    for (const outages of [[], [asked(0)], [killed(1)], [noNats]]) expect(during(outages, [empty])).toHaveLength(1)
  })

  it('is answered with a result, or during an outage with a retryable error', () => {
    const failed = (reason: string, retryable = false) => plain(inline({ answers: [error(reason, retryable)] }))
    expect(judge(failed('overloaded', true))).toHaveLength(1)
    expect(during([asked(1)], [failed('overloaded', true), failed('session_unknown')])).toEqual([])
    expect(during([asked(1)], [failed('backend_exited')])).toHaveLength(1)
    expect(during([killed(1)], [failed('backend_exited')])).toEqual([])
    expect(during([killed(2)], [failed('backend_exited')], 3)).toHaveLength(1)
  })

  it('is not disturbed by NATS at the home node of its session', () => {
    const failed = inline({ answers: [error('backend_exited')] })
    expect(during([noNats], [plain(failed)])).toEqual([])
    expect(during([noNats], [plain(failed, { node: 0 })])).toHaveLength(1)
  })

  it('may be refused until several NATS servers have a leader again', () => {
    const before: FuzzOutage = {
      server: 0,
      how: 'nats',
      isOneOfMany: false,
      stayedAway: [],
      began: 5_000,
      ended: 6_000,
    }
    const refused = plain(inline({ status: 503, answers: [] }))
    expect(during([before], [refused])).toHaveLength(1)
    expect(during([{ ...before, isOneOfMany: true }], [refused])).toEqual([])
  })

  it('is refused with a status for the reason, and only during an outage', () => {
    const refused = (status: number) => plain(inline({ status, answers: [] }))
    expect(judge(refused(503))).toHaveLength(1)
    expect(during([asked(0)], [refused(503), refused(404)])).toEqual([])
    expect(during([asked(0)], [refused(500)])).toHaveLength(1)
    expect(during([paused(0)], [refused(408)])).toEqual([])
    expect(during([paused(1)], [refused(408)])).toHaveLength(1)
    expect(during([asked(0)], [refused(408)])).toHaveLength(1)
    expect(judge({ ...refused(404), ended: 10_012 })).toEqual([])
    expect(judge({ ...refused(503), ended: 10_012 })).toHaveLength(1)
  })

  it('is refused until the other nodes have noticed that its home was killed, and no longer', () => {
    const refused = (status: number, began = 14_000) => plain(inline({ status, began, ended: began + 9, answers: [] }))
    expect(during([killed(1)], [refused(503)])).toEqual([])
    expect(during([killed(1)], [refused(503, 19_000)])).toHaveLength(1)
    expect(during([killed(1)], [refused(404)])).toHaveLength(1)
    expect(during([killed(0)], [refused(503)])).toHaveLength(1)
    // The home was restarted before it opened the session.
    expect(during([killed(1, 9_980)], [refused(503)])).toHaveLength(1)
  })
})

it('a call with a question has the answer of its own client', () => {
  const asking = (text: string) =>
    session([inline({ replyAt: 1, answers: [{ at: 10_020, outcome: { kind: 'result', text } }] })])
  expect(judge(asking('The text of 0-1'))).toEqual([])
  expect(judge(asking('The text of 0-2'))).toHaveLength(1)
})

it('the state of a request without a session is known while its node stays', () => {
  const again = session([inline({ restarts: [10_018] })], { kind: 'stateless' })
  expect(judge(again)).toEqual([expect.stringContaining('state')])
  expect(during([noNats], [again])).toHaveLength(1)
  expect(during([killed(0)], [again])).toEqual([])
})

it('a resumed call has each step once, and its answer unless its node, its home or its session ended', () => {
  const resumed = (steps: number[], answers: FuzzAnswer[]) => session([inline({ steps, answers })], { kind: 'plain' })
  const took: FuzzAnswer = { at: 10_020, outcome: { kind: 'result', text: 'Took 8 steps' } }
  expect(judge(resumed([1, 2, 3], [took]))).toEqual([])
  expect(judge(resumed([1, 3], [took]))).toHaveLength(1)
  expect(judge(resumed([1, 2, 2], [took]))).toHaveLength(1)
  expect(judge(resumed([1], []))).toHaveLength(1)
  expect(during([killed(1)], [resumed([1], [])])).toHaveLength(1)
  expect(during([killed(0)], [resumed([1], [])])).toEqual([])
  expect(judge({ ...resumed([1], []), ended: 10_018 })).toEqual([])
})

it('a repeat with the same key is the same job', () => {
  const repeated = (job: string | undefined) => {
    const repeat = { node: 0, began: 10_016, ended: 10_020, job, request: '' }
    return session([task({ kind: 'job', repeats: [repeat] })], { kind: 'jobs' })
  }
  expect(judge(repeated('t'))).toEqual([])
  expect(judge(repeated('other'))).toEqual([expect.stringContaining('another job')])
  expect(judge(repeated(undefined))).toEqual([expect.stringContaining('no job')])
  expect(during([noNats], [repeated(undefined)])).toEqual([])
  expect(during([noNats], [repeated('other')])).toHaveLength(1)
})

it('a session gets no answers to requests of others', () => {
  expect(judge(session([call()], { foreign: ['2-7'] }))).toEqual([expect.stringContaining('the answer to 2-7')])
})

it('a WebSocket keeps its connection as long as its node', () => {
  const cut = inline({ node: 0, status: undefined, answers: [] })
  const socket = session([cut], { kind: 'socket', node: 1, unknown: 10_016 })
  expect(during([asked(0)], [socket])).toHaveLength(2)
  expect(during([asked(1)], [socket])).toEqual([])
})

it('a session on NATS may end with its connection to a NATS server, and no other session', () => {
  const cut = inline({ answers: [], status: undefined })
  const on = (kind: FuzzSession['kind']): FuzzSession => session([cut], { kind, unknown: 10_016 })
  expect(judge(on('bus'))).toHaveLength(2)
  expect(during([noNats], [on('bus')])).toEqual([])
  expect(during([noNats], [on('socket')])).toHaveLength(2)
})

it('a request over HTTP+SSE keeps its connections as long as its node and that of its stream', () => {
  const cut = inline({ node: 0, status: undefined, answers: [] })
  const events = session([cut], { kind: 'events', node: 1 })
  expect(during([], [events])).toHaveLength(1)
  expect(during([asked(0)], [events])).toEqual([])
  expect(during([asked(1)], [events])).toEqual([])
  expect(during([asked(2)], [events], 3)).toHaveLength(1)
})

describe('a task', () => {
  const judgeTask = (more: Partial<FuzzCall>): readonly string[] => judge(session([task(more)]))
  const question = (answer: FuzzQuestion['answer'], about: FuzzQuestion['about'] = 'status'): FuzzQuestion => ({
    about,
    node: 0,
    began: 10_012,
    ended: 10_017,
    request: 'status 200',
    answer,
  })

  it("is done in the end, with its tool's text, in every outage", () => {
    expect(judgeTask({})).toEqual([])
    expect(judge(session([call({ kind: 'task', status: 200, job: 't' })]))).toHaveLength(1)
    expect(judgeTask({ end: { updated: 0, state: 'completed', outcome: undefined } })).toHaveLength(1)
    expect(
      judgeTask({ end: { updated: 0, state: 'completed', outcome: { kind: 'result', text: 'else' } } }),
    ).toHaveLength(1)
    const failed = session([task({ end: { updated: 0, state: 'failed', outcome: error('outcome_unknown').outcome } })])
    expect(during([killed(0), noNats], [failed])).not.toEqual([])
  })

  it('is cancelled when its client wanted that, and only then', () => {
    const cancelled = { end: { updated: 0, state: 'cancelled', outcome: error('cancelled').outcome } }
    expect(judgeTask({ ...cancelled, isLeft: true })).toEqual([])
    expect(judgeTask(cancelled)).toHaveLength(1)
  })

  it('has the same result for every reader', () => {
    expect(
      judgeTask({
        questions: [question({ updated: 0, state: 'working' }), question({ updated: 0, state: 'completed' })],
      }),
    ).toEqual([])
    expect(judgeTask({ questions: [question({ updated: 0, state: 'cancelled' }, 'end')] })).toHaveLength(1)
    expect(judgeTask({ questions: [question({ updated: 0, state: 'failed' })] })).toHaveLength(1)
    expect(judgeTask({ questions: [question({ outcome: done }, 'result')] })).toEqual([])
    expect(judgeTask({ questions: [question({ outcome: error('invalid_params').outcome }, 'end')] })).toEqual([])
  })

  it('is known to every reader, who may have to ask again during an outage', () => {
    const answered = (answer: FuzzQuestion['answer']) => session([task({ questions: [question(answer)] })])
    const later = answered({ outcome: error('fabric_unavailable', true).outcome })
    expect(judge(answered(undefined), later)).toHaveLength(2)
    expect(during([noNats], [answered(undefined), later])).toEqual([])
    expect(during([noNats], [answered({ outcome: error('unknown_resource').outcome })])).toHaveLength(1)
  })
})

describe('a session', () => {
  const gone = (more: Partial<FuzzSession> = {}): FuzzSession => session([], { unknown: 10_050, ...more })

  it('ends when its client ends it, or its home does', () => {
    expect(judge(gone())).toHaveLength(1)
    expect(judge(gone({ ended: 10_049 }))).toEqual([])
    expect(during([asked(0)], [gone()])).toEqual([])
    expect(during([killed(0)], [gone()])).toEqual([])
    expect(during([asked(1), killed(1)], [gone()])).toHaveLength(1)
    expect(during([noNats], [gone()])).toHaveLength(1)
  })

  it('stays when it has a pending answer and its home is shut down', () => {
    expect(during([asked(0)], [session([call()], { unknown: 10_050 })])).toHaveLength(1)
    // It was cancelled, not accepted.
    const cancelled = inline({ status: 202, answers: [], isLeft: true })
    expect(during([asked(0)], [session([cancelled], { unknown: 10_050 })])).toEqual([])
  })

  it('is resumed at its place', () => {
    const refusal = { node: 1, cursor: 'abcd1234-A:1', began: 10_020, ended: 10_030, body: '{}' }
    const forgotten = session([], { forgotten: [refusal] })
    expect(judge(forgotten)).toHaveLength(1)
    expect(during([asked(0)], [forgotten])).toHaveLength(1)
    expect(during([killed(0)], [forgotten])).toEqual([])
    expect(during([killed(0, 10_040)], [forgotten])).toHaveLength(1)
  })
})

it('nodes end on request, with 0, and hold nothing', () => {
  const bad: Partial<FuzzLedger> = {
    crashes: ['node 0 ended'],
    left: ['node 1 holds 1'],
    outages: [{ ...asked(0), code: 1 } as FuzzOutage],
    codes: [0, null],
  }
  expect(judgeFuzz({ ...quiet, ...bad })).toHaveLength(4)
})

it('nodes reconnect to NATS', () => {
  expect(during([noNats], [])).toEqual([])
  expect(during([{ ...noNats, stayedAway: [0, 1] }], [])).toHaveLength(2)
})

it('allows clients to wait for a killed home for a while, with a retryable error', () => {
  const after = (reason: string, retryable: boolean): readonly string[] => {
    const answer = { ...error(reason, retryable), at: 15_000 }
    const made = inline({ began: 14_990, ended: 15_000, answers: [answer] })
    return during([killed(0, 11_000)], [session([made], { kind: 'plain' })])
  }
  expect(after('backend_unavailable', true)).toEqual([])
  expect(after('internal_error', false)).toHaveLength(1)
})
