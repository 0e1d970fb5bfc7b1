import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberText } from '../../test/fixtures/json-text.ts'
import { hasUnsafeNumbers } from './has-unsafe-numbers.ts'

describe('hasUnsafeNumbers', () => {
  test('never misses a number that JSON.parse and JSON.stringify would change', () => {
    const place = fc.constantFrom<(number: string) => string>(
      (number) => `[${number}]`,
      (number) => `{"a":${number}}`,
      (number) => `[1,${number},1]`,
      (number) => `[\n${number}\n]`,
      (number) => number,
    )
    fc.assert(
      fc.property(numberText, place, (number, put) => {
        fc.pre(!hasUnsafeNumbers(put(number)))
        expect(JSON.stringify(JSON.parse(number))).toBe(number)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    '9007199254740993',
    '1.0',
    '1.50',
    '1e2',
    '1E2',
    '-0',
    '-0.0',
    '0.0000001',
    '12345678.123456789',
    '1e400',
  ])('finds %s', (number) => {
    expect(hasUnsafeNumbers(`{"a":${number}}`)).toBe(true)
  })

  test.each([
    '{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"n":[0,-1,10,1.5,-0.25,100000000000000]}}',
    '{"trace":"4bf92f3577b34da6a3ce929d0e0e4736","time":"2026-11-21T02:44:00.000Z","version":"1.0"}',
    '{"id":"550e8400-e29b-41d4-a716-446655440000","address":"127.0.0.1:3000","at":1795228800000}',
  ])('finds none in the ordinary message %s', (text) => {
    expect(hasUnsafeNumbers(text)).toBe(false)
  })
})
