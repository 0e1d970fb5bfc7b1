import { expect, test } from 'vitest'
import { textWithoutNulls } from './text-without-nulls.ts'

test.each([
  ['{"access_token":"a","refresh_token":null,"scope":null}', '{"access_token":"a"}'],
  ['{"keys":[{"kty":"EC","d":null}]}', '{"keys":[{"kty":"EC"}]}'],
  ['null', 'null'],
  ['[null]', '[null]'],
  ['<p>null</p>', '<p>null</p>'],
  ['{"a": 1}', '{"a": 1}'],
])('%s is read as %s', (text, expected) => {
  expect(textWithoutNulls(text)).toBe(expected)
})
