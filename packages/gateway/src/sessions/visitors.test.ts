import { expect, test } from 'vitest'
import type { CallContext } from '@junctor/exchange'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { identityOf, tenantOf } from '../../test/support/test-nodes.ts'
import type { LinkPool } from '../upstream/links/link-pool.ts'
import { createVisitors } from './visitors.ts'

function start() {
  const clock = createManualClock()
  const tenants = new Map(['a', 'b'].map((name) => [name, tenantOf([], name)]))
  const visitors = createVisitors(tenants, {} as LinkPool, { sessions: 3, sessionIdleMs: 1_000 }, clock)
  const context = (subject: string, tenant = 'a'): CallContext =>
    visitors.context(identityOf(subject, tenant), '2025-11-25')
  return { clock, tenants, visitors, context }
}

test('one stands in for each principal at each tenant', () => {
  const { visitors, context } = start()
  const ada = visitors.of(context('ada'))
  expect(visitors.of(context('ada'))).toBe(ada)
  expect(visitors.of(context('bob'))).not.toBe(ada)
  expect(visitors.of(context('ada', 'b'))).not.toBe(ada)
  expect(ada?.context).toMatchObject({ session: undefined, principal: { key: 'local ada' } })
  expect(visitors.of(context('ada', 'c'))).toBeUndefined()
})

test('no more are kept than there may be sessions: the first goes', () => {
  const { visitors, context } = start()
  const all = ['ada', 'bob', 'eve', 'dan'].map((subject) => visitors.of(context(subject)))
  expect(visitors.size).toBe(3)
  expect(visitors.of(context('dan'))).toBe(all[3])
  expect(visitors.of(context('ada'))).not.toBe(all[0])
  expect(visitors.size).toBe(3)
})

test('those that have not come for long are forgotten', () => {
  const { visitors, context, clock } = start()
  const ada = visitors.of(context('ada'))
  visitors.of(context('bob', 'b'))
  clock.advance(600)
  visitors.of(context('ada'))
  clock.advance(600)
  visitors.sweep()
  expect(visitors.size).toBe(1)
  expect(visitors.of(context('ada'))).toBe(ada)
})

test('they see what their tenant has become', () => {
  const { visitors, context, tenants } = start()
  const ada = visitors.of(context('ada'))
  const next = tenantOf([], 'a')
  tenants.set('a', next)
  expect(visitors.of(context('ada'))).toBe(ada)
  expect(ada?.tenant).toBe(next)
})
