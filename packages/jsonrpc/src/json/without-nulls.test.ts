import { expect, test } from 'vitest'
import { withoutNulls } from './without-nulls.ts'

test.each([
  ['{"access_token":"a","refresh_token":null,"scope":null}', '{"access_token":"a"}'],
  ['{"access_token":null}', '{}'],
  ['{"keys":[{"kty":"EC","d":null},null],"c":[null]}', '{"keys":[{"kty":"EC"}],"c":[]}'],
  ['{"__proto__":{"a":null}}', '{"__proto__":{}}'],
  ['null', 'null'],
  ['"null"', '"null"'],
  ['{"a":[1,0,false,""]}', '{"a":[1,0,false,""]}'],
])('%s is read as %s', (text, expected) => {
  expect(JSON.stringify(withoutNulls(JSON.parse(text)))).toBe(expected)
})
