import { expect, test } from 'vitest'
import { progressText } from './progress-text.ts'

test.each([
  [{ progress: 0, total: 4 }, `[${' '.repeat(24)}] 0%`],
  [{ progress: 1, total: 4, message: 'reading' }, `[${'#'.repeat(6)}${' '.repeat(18)}] 25% reading`],
  [{ progress: 9, total: 4 }, `[${'#'.repeat(24)}] 100%`],
  [{ progress: 7 }, '7'],
  [{ progress: 7, total: 0, message: 'done' }, '7 done'],
])('%j', (update, expected) => {
  expect(progressText(update)).toBe(expected)
})
