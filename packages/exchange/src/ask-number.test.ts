import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askNumber, mayHaveAsked } from './ask-number.ts'

const node = fc.stringMatching(/^[a-z0-9]{8}$/)

test('a number has 31 bits, and says which node may have asked', () => {
  fc.assert(
    fc.property(node, fc.nat(), (asker, count) => {
      const number = askNumber(`${asker}-${count.toString(36)}`)
      expect(Number.isInteger(number) && number >= 0 && number < 2 ** 31 && mayHaveAsked(asker, number)).toBe(true)
    }),
  )
})

test('two nodes, and two counts, have different numbers', () => {
  const numbers = ['buk1wn5r-0', 'buk1wn5r-1', 'buk1wn5r-zz', 'a1b2c3d4-0'].map(askNumber)
  expect(new Set(numbers).size).toBe(4)
  expect(numbers.map((number) => mayHaveAsked('buk1wn5r', number))).toEqual([true, true, true, false])
})
