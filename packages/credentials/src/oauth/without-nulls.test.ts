import { expect, test } from 'vitest'
import { withoutNulls } from './without-nulls.ts'

test.each([
  ['{"access_token":"a","refresh_token":null,"scope":null}', '{"access_token":"a"}'],
  ['{"access_token":null}', '{}'],
  ['{"a":{"b":null},"c":[null]}', '{"a":{"b":null},"c":[null]}'],
  ['null', 'null'],
  ['[null]', '[null]'],
  ['<p>null</p>', '<p>null</p>'],
  ['{"a": 1}', '{"a": 1}'],
])('%s is read as %s', (text, expected) => {
  expect(withoutNulls(text)).toBe(expected)
})
