import { describe, expect, it } from 'vitest'
import type { FuzzCall, FuzzLedger, FuzzOutage, FuzzSession } from './fuzz-ledger.ts'
import { judgeFuzz } from './fuzz-verdict.ts'

const call = (more: Partial<FuzzCall> = {}): FuzzCall => ({
  id: '1',
  kind: 'queue',
  node: 0,
  began: 10,
  ended: 20,
  status: 202,
  answers: 1,
  isLeft: false,
  ...more,
})
const session = (calls: FuzzCall[], more: Partial<FuzzSession> = {}): FuzzSession => ({
  id: 's',
  client: 0,
  tenant: 'saas',
  node: 0,
  began: 0,
  calls,
  cursorless: 0,
  forgotten: 0,
  ...more,
})
const judge = (...sessions: FuzzSession[]): readonly string[] => judgeFuzz({ ...quiet, sessions })
const quiet: FuzzLedger = { sessions: [], outages: [], crashes: [], left: [], codes: [0, 0] }
const killed: FuzzOutage = { node: 0, how: 'kill', began: 15, ended: 30, code: null }
const asked: FuzzOutage = { node: 1, how: 'terminate', began: 12, ended: 14, code: 0 }

describe('accepted calls', () => {
  it('are answered once', () => {
    expect(judge(session([call()]))).toEqual([])
    expect(judge(session([call({ answers: 0 })]))).toEqual([expect.stringContaining('never answered')])
    expect(judge(session([call({ answers: 2 })]))).toEqual([expect.stringContaining('2 answers')])
  })

  it('are answered twice at most for who names no cursor', () => {
    expect(judge(session([call({ answers: 2 })], { cursorless: 1 }))).toEqual([])
    expect(judge(session([call({ answers: 3 })], { cursorless: 1 }))).toHaveLength(1)
    expect(judge(session([call({ answers: 2 })], { cursorless: 1, tenant: 'plain' }))).toHaveLength(1)
  })

  it('need no answer when the client ended the session or left the call', () => {
    expect(judge(session([call({ answers: 0 })], { ended: 21 }))).toEqual([])
    expect(judge(session([call({ answers: 0, isLeft: true })]))).toEqual([])
  })

  it('need no answer when their home was killed, and only then', () => {
    const lost = session([call({ answers: 0 })])
    const elsewhere = session([call({ answers: 0 })], { node: 1 })
    expect(judgeFuzz({ ...quiet, sessions: [lost], outages: [killed] })).toEqual([])
    expect(judgeFuzz({ ...quiet, sessions: [elsewhere], outages: [killed] })).toHaveLength(1)
    expect(judgeFuzz({ ...quiet, sessions: [elsewhere], outages: [asked, killed] })).toEqual([])
    expect(judgeFuzz({ ...quiet, sessions: [elsewhere], outages: [asked] })).toHaveLength(1)
  })
})

it('an inline call has one response, but for its node', () => {
  const lost = session([call({ kind: 'inline', status: undefined, answers: 0 })], { node: 1, tenant: 'plain' })
  const empty = session([call({ kind: 'inline', status: 200, answers: 0 })], { node: 1, tenant: 'plain' })
  expect(judge(lost, empty)).toHaveLength(2)
  expect(judgeFuzz({ ...quiet, sessions: [lost, empty], outages: [asked] })).toEqual([])
})

it('a session goes when its client ends it, and a task is over in the end', () => {
  expect(judge(session([], { unknown: 5 }))).toHaveLength(1)
  expect(judge(session([], { unknown: 5, ended: 4 }))).toEqual([])
  expect(judge(session([], { forgotten: 1 }))).toHaveLength(1)
  const unknown = { unknown: 50, node: 1 }
  expect(judgeFuzz({ ...quiet, sessions: [session([], unknown)], outages: [asked] })).toEqual([])
  expect(judgeFuzz({ ...quiet, sessions: [session([call()], unknown)], outages: [asked] })).toHaveLength(1)
  expect(judge(session([call({ kind: 'task', status: 200, task: 't' })]))).toHaveLength(1)
})

it('nodes end when they are asked to, with 0, and hold nothing', () => {
  const bad = {
    crashes: ['node 0 ended'],
    left: ['node 1 holds 1'],
    outages: [{ ...asked, code: 1 }],
    codes: [0, null],
  }
  expect(judgeFuzz({ ...quiet, ...bad })).toHaveLength(4)
})
