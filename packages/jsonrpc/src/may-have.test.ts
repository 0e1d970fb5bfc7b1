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

test('nothing is parsed to find out', () => {
  const broken = payloadFromText('{"a":')
  expect(mayHave(broken, 'uri')).toBe(false)
})

test('what is parsed already is to be looked at', () => {
  expect(mayHave(payloadOf({}), 'uri')).toBe(true)
})
