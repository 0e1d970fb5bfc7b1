import { expect, test } from 'vitest'
import { decodeChunk } from './decode-chunk.ts'

const text = 'aé€😀\u{feff}z'
const bytes = Buffer.from(text)

test.each([...bytes.keys()])('a stream cut after byte %i is decoded completely', (cut) => {
  const first = decodeChunk(bytes.subarray(0, cut))
  const second = decodeChunk(Buffer.concat([first?.rest ?? new Uint8Array(), bytes.subarray(cut)]))
  expect(`${first?.text}${second?.text}`).toBe(text)
  expect(second?.rest).toBeUndefined()
})

test.each([
  ['a byte that never occurs', [0x61, 0xff, 0x61]],
  ['a continuation without a beginning', [0x80]],
  ['four continuations', [0x80, 0x80, 0x80, 0x80]],
  ['an overlong form', [0xc0, 0x80]],
  ['a half surrogate', [0xed, 0xa0, 0x80]],
])('%s is not UTF-8', (_, wrong) => {
  expect(decodeChunk(Uint8Array.from(wrong))).toBeUndefined()
})
