import { JunctorError } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { RecentFailures } from './recent-failures.ts'

const start = Date.parse('2026-01-01')

/** The failures at a time, with one of the start. */
function failuresAfter(passedMs: number, error: Error = new Error('the server is down')): RecentFailures {
  let clock = start
  const failures = new RecentFailures(10, () => clock)
  failures.add('a request', error)
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

test.each([
  ['as long as the server asks', 30_000, 29_999],
  ['for a minute at most', 3_600_000, 59_999],
])('nothing is sent %s', (_what, retryAfterMs, lasts) => {
  const error = new JunctorError('BACKEND_UNREACHABLE', 'the server is busy', { cause: { retryAfterMs } })
  expect(() => failuresAfter(lasts, error).check('a request')).toThrow('the server is busy')
  expect(() => failuresAfter(lasts + 1, error).check('a request')).not.toThrow()
})
