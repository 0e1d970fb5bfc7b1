import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseByteSize } from '../byte-size.ts'
import { parseDuration } from '../duration.ts'
import { formatByteSize, formatDuration } from './units.ts'

test.each([
  [0, '0ms'],
  [100, '100ms'],
  [1500, '1500ms'],
  [30_000, '30s'],
  [90_000, '90s'],
  [300_000, '5m'],
  [3_600_000, '1h'],
  [604_800_000, '7d'],
])('%i milliseconds are %s', (duration, text) => {
  expect(formatDuration(duration)).toBe(text)
})

test.each([
  [1, '1B'],
  [1500, '1500B'],
  [65_536, '64KiB'],
  [4_194_304, '4MiB'],
  [1024 ** 3, '1GiB'],
])('%i bytes are %s', (size, text) => {
  expect(formatByteSize(size)).toBe(text)
})

test('a formatted value can be parsed again', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(1, 1000, 60_000, 1024), (amount, step) => {
      const size = Math.min(amount * step, 2 ** 31 - 1)
      expect(parseDuration(formatDuration(size))).toBe(size)
      expect(parseByteSize(formatByteSize(size))).toBe(size)
    }),
  )
})
