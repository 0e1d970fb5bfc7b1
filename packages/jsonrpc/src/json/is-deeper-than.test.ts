import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valueText } from '../../test/fixtures/json-text.ts'
import { isDeeperThan } from './is-deeper-than.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('isDeeperThan', () => {
  test('agrees with the depth of the parsed value', () => {
    // Duplicate names are excluded, because the parsed value does not contain their first value.
    const text = valueText.map((written) => JSON.stringify(JSON.parse(written)))
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 6 }), (written, limit) => {
        expect(isDeeperThan(written, limit)).toBe(depthOf(JSON.parse(written)) > limit)
      }),
    )
  })

  test('does not count brackets in strings, after any number of backslashes', () => {
    expect(isDeeperThan('["[[[[","\\"[[[","\\\\",[1]]', 2)).toBe(false)
    expect(isDeeperThan('["[[[[","\\"[[[","\\\\",[[1]]]', 2)).toBe(true)
  })

  test('does not count siblings as levels', () => {
    expect(isDeeperThan(`[${'{},[],'.repeat(1000)}0]`, 2)).toBe(false)
  })

  test.each(['[[[', '"[[[', '["\\', ']]][[', '[[["'])('terminates on %s, which is not JSON', (text) => {
    expect(isDeeperThan(text, 2)).toBe(text.startsWith('[[['))
  })
})
