import { expect, test, vi } from 'vitest'
import { holdsObject } from './holds-object.ts'
import { payloadFromText, payloadOf } from './payload.ts'

test.each([
  [{}, true],
  [{ a: [1] }, true],
  [[], false],
  [[{}], false],
  ['{}', false],
  [5, false],
  [true, false],
  [null, false],
])('%j, as a value and as a text', (value, expected) => {
  const text = JSON.stringify(value)
  expect(holdsObject(payloadOf(value))).toBe(expected)
  expect(holdsObject(payloadFromText(text))).toBe(expected)
  expect(holdsObject(payloadFromText(` \t${text} `))).toBe(expected)
})

test('a text that was not parsed yet is not parsed', () => {
  const payload = payloadFromText('{"a":1}')
  const parse = vi.spyOn(JSON, 'parse')
  expect(holdsObject(payload)).toBe(true)
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})
