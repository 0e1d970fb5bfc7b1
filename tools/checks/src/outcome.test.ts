import { describe, expect, test } from 'vitest'
import { afterRepeat, filesToRepeat, settle, summary } from './outcome.ts'

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

describe('repeating', () => {
  const red = { passed: 5, failed: 2, skipped: 1, failedFiles: ['a', 'b'] }

  test.each([
    ['a red run: its red files', red, ['a', 'b']],
    ['a green run: none', { passed: 5, failed: 0, skipped: 0, failedFiles: [] }, []],
    ['a run with a failure outside of files: none', { passed: 5, failed: 1, skipped: 0 }, []],
    ['a run with many red files: none', { ...red, failedFiles: ['a', 'b', 'c', 'd'] }, []],
  ])('%s', (_name, outcome, files) => {
    expect(filesToRepeat(outcome)).toEqual(files)
  })

  test('the outcome counts a test that passed the second time as passed', () => {
    expect(afterRepeat(red, { passed: 9, failed: 1, skipped: 0 })).toEqual({ passed: 6, failed: 1, skipped: 1 })
    expect(afterRepeat(red, { passed: 10, failed: 0, skipped: 0 })).toEqual({ passed: 7, failed: 0, skipped: 1 })
  })
})
