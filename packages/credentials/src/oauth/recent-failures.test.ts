import { expect, test } from 'vitest'
import { RecentFailures } from './recent-failures.ts'

const start = Date.parse('2026-01-01')

/** The failures at a time, with one of the start. */
function failuresAfter(passedMs: number): RecentFailures {
  let clock = start
  const failures = new RecentFailures(10, () => clock)
  failures.add('a request', new Error('the server is down'))
  clock += passedMs
  return failures
}

test('a failure lasts', () => {
  expect(() => failuresAfter(0).check('a request')).toThrow('the server is down')
})

test.each([
  ['later', 60_000],
  ['when the clock was set back', -3_600_000],
])('a failure is over %s', (_when, passedMs) => {
  expect(() => failuresAfter(passedMs).check('a request')).not.toThrow()
})
