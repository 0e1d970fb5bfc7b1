import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blankComments } from './blank-comments.ts'

test.each([
  ['{} // more', '{}        '],
  ['// first\n{}', '        \n{}'],
  ['{ /* a\n b */ "c": 1 }', '{     \n      "c": 1 }'],
  ['{ "url": "https://x.example/*" }', '{ "url": "https://x.example/*" }'],
  ['{ "a": "\\"//", "b": 1 } // "', '{ "a": "\\"//", "b": 1 }     '],
])('%j becomes %j', (text, blanked) => {
  expect(blankComments(text)).toBe(blanked)
})

test('JSON without comments is unchanged', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(blankComments(text)).toBe(text)
    }),
  )
})
