import { expect, test } from 'vitest'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { createRootsChanges } from './roots-changes.ts'

function setUp() {
  const clock = createManualClock()
  const pool = createTestPool(clock)
  const delivered: string[] = []
  const changes = createRootsChanges(100, clock, (session, text) => delivered.push(`${session.id} ${text}`))
  const home = (id: string) => createHome(id, tenantOf([]), pool).session
  return { clock, delivered, changes, one: home('one'), other: home('other') }
}

test('the first change is delivered immediately; of those that follow soon, only the last', () => {
  const { clock, delivered, changes, one, other } = setUp()
  for (const text of ['1', '2', '3']) changes.changed(one, text)
  changes.changed(other, '4')
  expect(delivered).toEqual(['one 1', 'other 4'])
  clock.advance(100)
  expect(delivered).toEqual(['one 1', 'other 4', 'one 3'])
  // That delivery starts a new interval.
  changes.changed(one, '5')
  changes.changed(one, '6')
  clock.advance(100)
  clock.advance(100)
  expect(delivered).toEqual(['one 1', 'other 4', 'one 3', 'one 6'])
  changes.changed(one, '7')
  expect(delivered.at(-1)).toBe('one 7')
})

test('no change of a session that has ended is delivered', () => {
  const { clock, delivered, changes, one } = setUp()
  changes.changed(one, '1')
  changes.changed(one, '2')
  one.ended = true
  clock.advance(100)
  expect(delivered).toEqual(['one 1'])
})
