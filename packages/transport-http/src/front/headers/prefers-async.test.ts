import { expect, test } from 'vitest'
import { prefersAsync } from './prefers-async.ts'

test.each([
  [undefined, false],
  ['', false],
  ['respond-async', true],
  ['Respond-Async', true],
  ['wait=10, respond-async', true],
  ['respond-async; wait=10', true],
  ['handling=lenient; x=respond-async', false],
  ['respond-asynchronously', false],
  ['return=minimal', false],
])('Prefer: %o asks for an answer later: %s', (prefer, expected) => {
  expect(prefersAsync(prefer)).toBe(expected)
})
