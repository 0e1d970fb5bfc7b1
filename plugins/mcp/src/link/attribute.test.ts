import type { Scope } from '@junctor/plugin-sdk/link'
import { recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { attribute, type CallInFlight, isOwn } from './attribute.ts'

const shared: Scope = { tenant: 't', principal: undefined, session: undefined, capabilities: {}, key: 'k' }
const leased: Scope = { ...shared, principal: 'p' }
const own: Scope = { ...leased, session: 's' }

const oldest: CallInFlight = recordExchange()
const newest: CallInFlight = recordExchange()
const task: CallInFlight = recordExchange({
  init: { context: { ...newest.exchange.context, job: 'j_1' } },
})
const gateways: CallInFlight = recordExchange({
  init: {
    context: {
      ...newest.exchange.context,
      principal: { issuer: 'junctor', subject: 'gateway', key: 'junctor gateway' },
    },
  },
})
const none: readonly CallInFlight[] = []
const one = [oldest]
const several = [oldest, newest]

test.each([
  ['a shared link with nothing in flight', none, shared, false, { kind: 'no_client' }],
  ['a shared link with one call in flight', one, shared, false, { kind: 'no_client' }],
  ['a shared link with several', several, shared, true, { kind: 'no_client' }],
  ["a session's link with nothing in flight", none, own, false, { kind: 'client' }],
  ["a principal's link with nothing in flight", none, leased, false, { kind: 'client' }],
  ["a session's link with one call", one, own, false, { kind: 'exchange', exchange: oldest.exchange, guessed: false }],
  [
    "a principal's link with one call",
    one,
    leased,
    false,
    { kind: 'exchange', exchange: oldest.exchange, guessed: false },
  ],
  [
    'one call, where calls have streams',
    one,
    own,
    true,
    { kind: 'exchange', exchange: oldest.exchange, guessed: true },
  ],
  [
    "a session's link with several",
    several,
    own,
    false,
    { kind: 'exchange', exchange: newest.exchange, guessed: true },
  ],
  ["a principal's link with several", several, leased, false, { kind: 'no_client' }],
  [
    'several, of which the newest is a job that perhaps no client waits for',
    [...several, task],
    own,
    false,
    { kind: 'exchange', exchange: newest.exchange, guessed: true },
  ],
  ["a session's link with a request of the gateway", [gateways], own, false, { kind: 'client' }],
  [
    'a call and a later request of the gateway',
    [oldest, gateways],
    leased,
    false,
    { kind: 'exchange', exchange: oldest.exchange, guessed: false },
  ],
  ['only jobs', [task, task], own, false, { kind: 'exchange', exchange: task.exchange, guessed: true }],
])('on %s', (_, inFlight, scope, correlates, expected) => {
  expect(attribute(inFlight, scope, correlates, 'elicitation/create')).toEqual(expected)
})

test.each([
  ['only a job', [task], own, { kind: 'client' }],
  ['a call before a job', [oldest, task], own, { kind: 'exchange', exchange: oldest.exchange, guessed: false }],
  // Without a session, nobody but the reader of the job can be asked.
  ["a principal's job", [task], leased, { kind: 'exchange', exchange: task.exchange, guessed: false }],
])('a request for roots on %s is no question of the job', (_, inFlight, scope, expected) => {
  expect(attribute(inFlight, scope, false, 'roots/list')).toEqual(expected)
})

test('a link is own when it is one session or one principal', () => {
  expect([shared, leased, own].map(isOwn)).toEqual([false, true, true])
})
