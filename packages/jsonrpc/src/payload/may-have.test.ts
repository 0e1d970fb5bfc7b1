import { expect, test } from 'vitest'
import { mayHave } from './may-have.ts'
import { payloadFromText, payloadOf } from './payload.ts'

test.each([
  ['{"content":[{"type":"text","text":"the uri is x"}]}', false],
  ['{"content":[{"resource":{"uri":"x:y"}}]}', true],
  ['{"content":[{"\\u0075ri":"x:y"}]}', true],
  ['"uri"', true],
  ['{}', false],
])('%s may have a member "uri": %s', (text, expected) => {
  const payload = payloadFromText(text)
  expect(mayHave(payload, 'uri')).toBe(expected)
})

test('the payload is not parsed', () => {
  const broken = payloadFromText('{"a":')
  expect(mayHave(broken, 'uri')).toBe(false)
})

test('the result is true for a parsed payload', () => {
  expect(mayHave(payloadOf({}), 'uri')).toBe(true)
})
