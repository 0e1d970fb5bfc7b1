import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after-ms.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['7', 7000],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['Thursday, 01-Jan-26 00:00:02 GMT', 2000],
])('%j is %i ms', (value, ms) => {
  expect(retryAfterMs(value, now)).toBe(ms)
})

test.each([[undefined], [''], ['soon'], ['-1'], ['1.5'], ['9999999999'], ['2026-01-01'], [['1', '2']]])(
  '%j gives no time',
  (value) => {
    expect(retryAfterMs(value, now)).toBeUndefined()
  },
)
