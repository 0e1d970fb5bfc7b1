import { expect, test } from 'vitest'
import type { CallContext } from '@junctor/exchange'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { identityOf, tenantOf } from '../../../test/support/test-nodes.ts'
import type { LinkPool } from '../../upstream/links/link-pool.ts'
import { createSessionlessCallers } from './sessionless-callers.ts'

function start() {
  const clock = createManualClock()
  const tenants = new Map(['a', 'b'].map((name) => [name, tenantOf([], name)]))
  const callers = createSessionlessCallers(tenants, {} as LinkPool, { sessions: 3, sessionIdleMs: 1_000 }, clock)
  const context = (subject: string, tenant = 'a'): CallContext =>
    callers.context(identityOf(subject, tenant), '2025-11-25', 'http')
  return { clock, tenants, callers, context }
}

test('there is one caller for each principal of each tenant', () => {
  const { callers, context } = start()
  const ada = callers.of(context('ada'))
  expect(callers.of(context('ada'))).toBe(ada)
  expect(callers.of(context('bob'))).not.toBe(ada)
  expect(callers.of(context('ada', 'b'))).not.toBe(ada)
  expect(ada?.context).toMatchObject({ session: undefined, principal: { key: 'local ada' } })
  expect(callers.of(context('ada', 'c'))).toBeUndefined()
})

test('there are no more callers than the session limit: the oldest is removed', () => {
  const { callers, context } = start()
  const all = ['ada', 'bob', 'eve', 'dan'].map((subject) => callers.of(context(subject)))
  expect(callers.size).toBe(3)
  expect(callers.of(context('dan'))).toBe(all[3])
  expect(callers.of(context('ada'))).not.toBe(all[0])
  expect(callers.size).toBe(3)
})

test('callers that are idle for too long are removed', () => {
  const { callers, context, clock } = start()
  const ada = callers.of(context('ada'))
  callers.of(context('bob', 'b'))
  clock.advance(600)
  callers.of(context('ada'))
  clock.advance(600)
  callers.sweep()
  expect(callers.size).toBe(1)
  expect(callers.of(context('ada'))).toBe(ada)
})

test('a caller sees the new configuration of its tenant', () => {
  const { callers, context, tenants } = start()
  const ada = callers.of(context('ada'))
  const next = tenantOf([], 'a')
  tenants.set('a', next)
  expect(callers.of(context('ada'))).toBe(ada)
  expect(ada?.tenant).toBe(next)
})
