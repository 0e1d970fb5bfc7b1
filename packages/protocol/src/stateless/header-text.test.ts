import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHeaderText, encodeHeaderText } from './header-text.ts'

test.each([
  ['us-west1', 'us-west1'],
  ['', ''],
  ['a b', 'a b'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['=?base64?=', '=?base64?PT9iYXNlNjQ/PQ==?='],
  ['=?base64?literal', '=?base64?literal'],
  ['=?BASE64?literal?=', '=?BASE64?literal?='],
])('%j is sent as %j', (text, value) => {
  expect(encodeHeaderText(text)).toBe(value)
  expect(decodeHeaderText(value)).toEqual({ kind: 'text', text })
})

test('every text comes back, in characters that a header can carry', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const value = encodeHeaderText(text)
      expect(value).toMatch(/^[\x20-\x7e\t]*$/)
      expect(decodeHeaderText(value)).toEqual({ kind: 'text', text })
    }),
  )
})

test('blanks around a value do not count', () => {
  expect(decodeHeaderText('  echo\t')).toEqual({ kind: 'text', text: 'echo' })
})

test.each(['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=', '=?base64?/w==?=', 'grün', 'a\u0000b'])(
  '%j is not a value',
  (value) => {
    expect(decodeHeaderText(value)).toEqual({ kind: 'invalid' })
  },
)

test('a header with many blanks costs little: a client may send one with each request', () => {
  const value = `a${' '.repeat(15_000)}b`
  // With quadratic time for each, minutes for all.
  for (let count = 0; count < 1_000; count += 1) expect(decodeHeaderText(value).kind).toBe('text')
})
