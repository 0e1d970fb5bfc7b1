import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
  ['0s', 0],
  ['0.4ms', 0],
])('%s is %i milliseconds', (text, duration) => {
  expect(parseDuration(text)).toBe(duration)
})

test.each(['', '30', 's', '-1s', '30 s', '30sec', '1e3s', '30S', '.5s', '1s30ms', '25d', '1h\n'])(
  '%j is not a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test('whole milliseconds keep their value', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (duration) => {
      expect(parseDuration(`${duration}ms`)).toBe(duration)
    }),
  )
})
