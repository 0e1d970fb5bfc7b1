import { expect, test } from 'vitest'
import { createMicroClock } from './micro-clock.ts'

test('microseconds count within a millisecond and never reach the next', () => {
  let wall = 5
  let precise = 100.25
  const clock = createMicroClock({ wall: () => wall, precise: () => precise })
  expect(clock()).toBe(5000)
  precise = 100.2575
  expect(clock()).toBe(5007)
  precise = 102
  expect(clock()).toBe(5999)
  wall = 6
  expect(clock()).toBe(6000)
})

test('what the system sets its clock to is the time', () => {
  let wall = 5000
  const clock = createMicroClock({ wall: () => wall, precise: () => 1 })
  clock()
  wall = 1000
  expect(clock()).toBe(1_000_000)
})
