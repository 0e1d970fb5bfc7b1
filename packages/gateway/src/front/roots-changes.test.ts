import { expect, test } from 'vitest'
import { createHome, createTestPool } from '../../test/support/home.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { tenantOf } from '../../test/support/test-nodes.ts'
import { createRootsChanges } from './roots-changes.ts'

function setUp() {
  const clock = createManualClock()
  const pool = createTestPool(clock)
  const told: string[] = []
  const changes = createRootsChanges(100, clock, (session, text) => told.push(`${session.id} ${text}`))
  const home = (id: string) => createHome(id, tenantOf([]), pool).session
  return { clock, told, changes, one: home('one'), other: home('other') }
}

test('the first change is told at once, of those that follow soon the last one alone', () => {
  const { clock, told, changes, one, other } = setUp()
  for (const text of ['1', '2', '3']) changes.changed(one, text)
  changes.changed(other, '4')
  expect(told).toEqual(['one 1', 'other 4'])
  clock.advance(100)
  expect(told).toEqual(['one 1', 'other 4', 'one 3'])
  // That one begins a while of its own.
  changes.changed(one, '5')
  changes.changed(one, '6')
  clock.advance(100)
  clock.advance(100)
  expect(told).toEqual(['one 1', 'other 4', 'one 3', 'one 6'])
  changes.changed(one, '7')
  expect(told.at(-1)).toBe('one 7')
})

test('of a session that has ended nothing more is told', () => {
  const { clock, told, changes, one } = setUp()
  changes.changed(one, '1')
  changes.changed(one, '2')
  one.ended = true
  clock.advance(100)
  expect(told).toEqual(['one 1'])
})
