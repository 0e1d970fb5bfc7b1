import { describe, expect, test } from 'vitest'
import { isPayload, payloadFromText, payloadOf, printPayload } from './payload.ts'

describe('a payload of a value', () => {
  test('has no text before it is printed, and then keeps that text', () => {
    const payload = payloadOf({ a: [1, null] })
    expect(payload.text).toBeUndefined()
    expect(printPayload(payload)).toBe('{"a":[1,null]}')
    expect(payload.text).toBe('{"a":[1,null]}')
  })

  test.each([null, false, 0, ''])('may hold %j', (value) => {
    const payload = payloadOf(value)
    expect(payload.value()).toBe(value)
    expect(printPayload(payload)).toBe(JSON.stringify(value))
  })

  test('leaves out members that are undefined', () => {
    expect(printPayload(payloadOf({ a: undefined, b: 1 }))).toBe('{"b":1}')
  })
})

describe('a payload of a text', () => {
  test('prints that text, and parses it only once', () => {
    const payload = payloadFromText('{"a":1.0}')
    expect(printPayload(payload)).toBe('{"a":1.0}')
    expect(payload.value()).toEqual({ a: 1 })
    expect(payload.value()).toBe(payload.value())
  })
})

test('a payload is distinguished from JSON of the same shape', () => {
  expect(isPayload(payloadOf(null))).toBe(true)
  expect(isPayload({ text: 'x', value: { a: 1 } })).toBe(false)
  expect(isPayload(null)).toBe(false)
})

test('a payload of another implementation is printed from its value', () => {
  expect(printPayload({ text: undefined, value: () => [1] })).toBe('[1]')
})
