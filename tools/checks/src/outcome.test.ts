import { describe, expect, test } from 'vitest'
import { settle, summary } from './outcome.ts'

describe('settle', () => {
  const green = JSON.stringify({ passed: 3, failed: 0, skipped: 0 })

  test.each([
    ['a green run', 0, green, { passed: 3, failed: 0, skipped: 0 }],
    ['a failing test', 1, '{"passed":2,"failed":1,"skipped":0}', { passed: 2, failed: 1, skipped: 0 }],
    ['a fault outside a test, such as coverage', 1, green, { passed: 3, failed: 1, skipped: 0 }],
    ['a run that was killed after its totals', null, green, { passed: 3, failed: 1, skipped: 0 }],
    ['no totals at all', 0, undefined, { passed: 0, failed: 1, skipped: 0 }],
    ['half-written totals', 0, '{"passed":', { passed: 0, failed: 1, skipped: 0 }],
  ])('%s', (_name, code, written, expected) => {
    expect(settle(code, written)).toEqual(expected)
  })
})

describe('summary', () => {
  test('contains passed and failed', () => {
    expect(summary({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  })

  test('names skipped tests only when there are any', () => {
    expect(summary({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped')
  })
})
