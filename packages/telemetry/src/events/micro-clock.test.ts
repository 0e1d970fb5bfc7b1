import { expect, test } from 'vitest'
import { createMicroClock } from './micro-clock.ts'

/** A clock based on two clocks that the test sets. */
function setClock(): { wall: number; steady: number; readonly read: () => number } {
  const clocks = { wall: 1_800_000_000_000, steady: 1_800_000_000_000 }
  return Object.assign(clocks, {
    read: createMicroClock({ wall: () => clocks.wall, steady: { timeOrigin: 0, now: () => clocks.steady } }),
  })
}

test('the time has microseconds', () => {
  const clock = setClock()
  clock.steady += 0.25
  expect(clock.read()).toBe(1_800_000_000_000_250)
  clock.steady += 0.5
  expect(clock.read()).toBe(1_800_000_000_000_750)
})

test.each([3_600_000, -3_600_000])('a step of the system clock is followed: %i', (step) => {
  const clock = setClock()
  clock.read()
  clock.wall += step
  clock.steady += 1
  expect(clock.read()).toBe((1_800_000_000_000 + step) * 1000)
  clock.wall += 1
  clock.steady += 1.5
  expect(clock.read()).toBe((1_800_000_000_000 + step) * 1000 + 1500)
})

test('a small backward correction does not reverse the order of events', () => {
  const clock = setClock()
  clock.steady += 1.9
  const before = clock.read()
  clock.steady += 1.1
  expect(clock.read()).toBe(before)
  clock.wall += 5
  clock.steady += 1
  expect(clock.read()).toBeGreaterThan(before)
})

test('the system clock is read at most once per millisecond', () => {
  let asked = 0
  let steady = 0
  const wall = (): number => {
    asked += 1
    return 0
  }
  const read = createMicroClock({ wall, steady: { timeOrigin: 0, now: () => steady } })
  for (; steady < 10; steady += 0.125) read()
  expect(asked).toBe(10)
})
