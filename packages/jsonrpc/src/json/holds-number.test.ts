import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdsNumber } from './holds-number.ts'

test.each([
  '0',
  '-0',
  '0.0',
  '1.0',
  '0.1',
  '0.10000000000000001',
  '0.1000000000000000055511151231257827',
  '1e21',
  '1e23',
  '1.50',
  '9007199254740991',
  '9007199254740992',
  '1234567890123456800',
  '4.9E-324',
  '5e-324',
  '1.7976931348623157e308',
  '100000000000000000000',
])('%s stays the same number', (text) => {
  expect(holdsNumber(text)).toEqual({ kind: 'held' })
})

test.each([
  ['9007199254740993', '9007199254740992'],
  ['-9007199254740993', '-9007199254740992'],
  ['1234567890123456789', '1234567890123456800'],
  ['1234567890123456768', '1234567890123456800'],
  ['1.234567890123456789e18', '1234567890123456800'],
  ['12345678901234567.89', '12345678901234568'],
  ['12345678901234.567', '12345678901234.566'],
  ['0.1000000000000000055511151231257828', '0.1'],
  ['1e-400', '0'],
  [`0.${'1'.repeat(500)}`, '0.1111111111111111'],
])('%s becomes %s', (text, becomes) => {
  expect(holdsNumber(text)).toEqual({ kind: 'changed', becomes })
})

test.each(['1e400', '-1e400', '9'.repeat(400)])('%s is too large', (text) => {
  expect(holdsNumber(text)).toEqual({ kind: 'too_large' })
})

test('a double stays the same, as JavaScript writes it, with 17 digits, and with all of its digits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(holdsNumber(JSON.stringify(value))).toEqual({ kind: 'held' })
      fc.pre(!Number.isInteger(value))
      for (const digits of [17, 100]) expect(holdsNumber(value.toPrecision(digits))).toEqual({ kind: 'held' })
    }),
  )
})

test('an integer that is held has the same digits afterwards', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (value) => {
      const isHeld = holdsNumber(String(value)).kind === 'held'
      expect(isHeld).toBe(printed(value) === String(value))
    }),
  )
})

/** The digits that JavaScript writes for the double next to an integer. */
function printed(value: bigint): string {
  const [digits = '', exponent = '0'] = String(Number(value)).split('e+')
  if (exponent === '0') return digits
  const [whole = '', fraction = ''] = digits.split('.')
  return whole + fraction.padEnd(Number(exponent), '0')
}
