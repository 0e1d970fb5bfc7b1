import type { Scope } from '@junctor/contracts'
import { expect, it } from 'vitest'
import { createTestBackend } from '../../test/support/test-backend.ts'
import type { Lane } from './lanes.ts'
import { Lanes } from './lanes.ts'

const scopeOf = (principal: string): Scope => ({
  tenant: 'default',
  principal,
  session: undefined,
  capabilities: {},
  key: `sessionless ${principal}`,
})

function setUp() {
  const closed: Lane[] = []
  const { entry } = createTestBackend()
  return { entry, closed, lanes: new Lanes((lane) => closed.push(lane)) }
}

it('gives a link to one request at a time, and then to the next of the same scope', () => {
  const { lanes, entry } = setUp()
  const one = lanes.lease(entry, scopeOf('ada'))
  const other = lanes.lease(entry, scopeOf('ada'))
  expect(other.scope.key).not.toBe(one.scope.key)
  lanes.giveBack(one, 0)
  expect(lanes.lease(entry, scopeOf('eve')).scope.key).not.toBe(one.scope.key)
  expect(lanes.lease(createTestBackend().entry, scopeOf('ada')).scope.key).not.toBe(one.scope.key)
  expect(lanes.lease(entry, scopeOf('ada'))).toBe(one)
  expect(one.scope).toMatchObject({ tenant: 'default', principal: 'ada', session: one.scope.key })
})

it('closes a link that may still be busy, and those that nobody used for long', () => {
  const { lanes, entry, closed } = setUp()
  const [busy, old, fresh] = [1, 2, 3].map(() => lanes.lease(entry, scopeOf('ada'))) as [Lane, Lane, Lane]
  lanes.drop(busy)
  lanes.giveBack(old, 1_000)
  lanes.giveBack(fresh, 2_000)
  expect(closed).toEqual([busy])
  lanes.sweep(1_500)
  expect(closed).toEqual([busy, old])
  expect(lanes.lease(entry, scopeOf('ada'))).toBe(fresh)
})
