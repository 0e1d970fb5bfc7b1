import { expect, test } from 'vitest'
import { parseByteSize } from './byte-size.ts'

test.each([
  ['512B', 512],
  ['64KiB', 65_536],
  ['1.5MiB', 1_572_864],
  ['1GiB', 1_073_741_824],
])('%s is %i bytes', (text, size) => {
  expect(parseByteSize(text)).toBe(size)
})

test.each(['', '4', '4MB', '4 MiB', '-1B', '4mib', '1TiB'])('%j is not a size', (text) => {
  expect(parseByteSize(text)).toBeUndefined()
})
