import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberText } from '../../test/fixtures/json-text.ts'
import { memberOf } from './json.ts'
import { isRawNumber, parseExactly, rawNumbersIn, withDoubles } from './raw-json.ts'
import { isSameNumber } from './same-number.ts'

const text = '{"id":9007199254740993,"list":[1,{"a/b":1e400}],"price":1.50,"name":"9007199254740993"}'

test('numbers that would become others are kept, and all others are plain', () => {
  const value = parseExactly(text) as Readonly<Record<string, unknown>>
  expect(isRawNumber(value['id'])).toBe(true)
  expect(value['price']).toBe(1.5)
  expect(JSON.stringify(value)).toBe(text.replace('1.50', '1.5'))
})

test('a kept number has no members', () => {
  const value = parseExactly(text)
  expect(memberOf(memberOf(value, 'id'), 'rawJSON')).toBeUndefined()
  expect(memberOf(value, 'price')).toBe(1.5)
  expect([memberOf(undefined, 'a'), memberOf('text', 'length'), memberOf([1], '0')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a number that is only written in another way is plain', () => {
  expect(parseExactly('[1.0,1e2,-0,1e21,0.0000001,1E+3]')).toEqual([1, 100, -0, 1e21, 1e-7, 1000])
})

test('every number is printed as the same number', () => {
  fc.assert(
    fc.property(numberText, (number) => {
      expect(isSameNumber(JSON.stringify(parseExactly(number)), number)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('kept numbers are found with the way to them', () => {
  expect([...rawNumbersIn(parseExactly(text))]).toEqual([
    { path: ['id'], text: '9007199254740993' },
    { path: ['list', 1, 'a/b'], text: '1e400' },
  ])
  expect([...rawNumbersIn(JSON.parse(text))]).toEqual([])
})

test('a value can be had with doubles', () => {
  expect(withDoubles(parseExactly(text))).toEqual(JSON.parse(text))
  const plain = { a: [1] }
  expect(withDoubles(plain)).toBe(plain)
})

test('digits without end are compared in linear time', () => {
  const zeros = `0.${'0'.repeat(1_000_000)}1`
  expect(JSON.stringify(parseExactly(`[${zeros},1${'0'.repeat(1_000_000)}]`))).toHaveLength(2_000_000 + 7)
})
