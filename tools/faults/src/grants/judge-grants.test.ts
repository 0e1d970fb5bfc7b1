import { expect, it, test } from 'vitest'
import { type GrantHistory, judgeGrants } from './judge-grants.ts'
import type { GrantCall } from './grant-person.ts'

const said = (text: string) => ({ result: { content: [{ type: 'text', text }] } })

const callOf = (changes: Partial<GrantCall> = {}): GrantCall => ({
  name: 'ada-0',
  person: 'ada',
  at: 'one',
  began: 100_000,
  ended: 100_100,
  answers: [said('I am ada')],
  ...changes,
})

const kept: GrantHistory = {
  calls: [callOf(), callOf({ name: 'ada-1', answers: [said('http://x/connections/api/abc')] })],
  runs: [{ call: 'ada-0', person: 'ada' }],
  outages: [],
  grants: [
    { person: 'ada', refresh: 'replaced', known: new Set() },
    { person: 'ada', refresh: undefined, known: new Set() },
  ],
  reuses: 0,
  crashes: [],
}

const away = { at: 'one', how: 'kill', began: 100_050, ended: 101_000 } as const

it('finds nothing when all was kept', () => {
  expect(judgeGrants(kept)).toEqual([])
})

test.each<[string, Partial<GrantHistory>]>([
  ['ada-0 ran with the token of bob', { runs: [{ call: 'ada-0', person: 'bob' }] }],
  ['ada-0 ran 2 times', { runs: [...kept.runs, ...kept.runs] }],
  ['ada-0 has 2 answers', { calls: [callOf({ answers: [said('I am ada'), said('I am ada')] })] }],
  ['ada-0 got the answer of bob', { calls: [callOf({ answers: [said('I am bob')] })], outages: [away] }],
  ['ada-0 has no answer', { calls: [callOf({ answers: [] })], outages: [{ ...away, at: 'two' }] }],
  ['ada-0 got {"error":"internal"}', { calls: [callOf({ answers: [{ error: 'internal' }] })] }],
  ['1 refresh tokens came twice, with 0 kills', { reuses: 1, outages: [{ ...away, how: 'stop' }] }],
  ['the grant of ada is still good at the issuer', { grants: kept.grants.toReversed() }],
  ['node-1 ended', { crashes: ['node-1 ended'] }],
])('finds: %s', (fault, changes) => {
  expect(judgeGrants({ ...kept, ...changes })).toEqual([fault])
})

test.each<Partial<GrantHistory>>([
  { calls: [callOf({ answers: [] })], outages: [away] },
  { calls: [callOf({ answers: [{ error: 'backend_unavailable' }] })], outages: [{ ...away, at: 'two' }] },
  { reuses: 1, outages: [away] },
])('allows what a killed node explains: %j', (changes) => {
  expect(judgeGrants({ ...kept, ...changes })).toEqual([])
})
