import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameHash } from './name-hash.ts'
import { publicName } from './public-name.ts'

test.each([
  ['search', '__', 'find', 'search__find'],
  ['chora', ':', 'generate_content', 'chora:generate_content'],
  ['', '__', 'find', 'find'],
  ['a', '__', '', 'a__'],
  ['a', '__', 'b__c', 'a__b__c'],
  ['a', '__', 'x'.repeat(61), `a__${'x'.repeat(61)}`],
])('%s%s%s is %s', (prefix, separator, name, expected) => {
  expect(publicName(prefix, separator, name)).toBe(expected)
})

test('a name of more than 64 characters ends in a hash, and the hash is the same in every release', () => {
  expect(publicName('a', '__', 'x'.repeat(62))).toBe(`a__${'x'.repeat(47)}_${nameHash(`a__${'x'.repeat(62)}`)}`)
  expect(publicName('a', '__', 'y'.repeat(100))).toHaveLength(64)
  expect(publicName('a', '__', 'y'.repeat(100), 100)).toHaveLength(100)
  expect(publicName('a', '__', 'y'.repeat(97), 100)).toBe(`a__${'y'.repeat(97)}`)
})

test.each([64, 65, 100, 128])("a name of %i characters without a prefix is the backend's own", (length) => {
  for (const maxLength of [undefined, 32, 128]) {
    expect(publicName('', '__', 'y'.repeat(length), maxLength)).toBe('y'.repeat(length))
  }
  expect(publicName('', '__', 'y'.repeat(129))).toHaveLength(128)
})

test('names that differ only after the truncated part stay different', () => {
  const long = 'x'.repeat(80)
  expect(publicName('a', '__', `${long}1`)).not.toBe(publicName('a', '__', `${long}2`))
})

test('truncation does not split a surrogate pair', () => {
  expect(publicName('a', '__', `${'x'.repeat(46)}${'😀'.repeat(10)}`).isWellFormed()).toBe(true)
})

test('a name has at most 64 characters, and two names never become one', () => {
  const names = fc.uniqueArray(fc.string({ maxLength: 120 }), { maxLength: 20 })
  fc.assert(
    fc.property(fc.constantFrom('', 'a', 'some-backend'), names, (prefix, all) => {
      const offered = all.map((name) => publicName(prefix, '__', name))
      expect(offered.every((name) => name.length <= (prefix === '' ? 128 : 64))).toBe(true)
      expect(new Set(offered).size).toBe(all.length)
    }),
  )
})

// The expected values were computed with an independent implementation of the algorithm, over the UTF-16LE bytes of the
// text.
test.each([
  ['', '33niihzj4ux45'],
  ['a', '04po3fjfn1b6s'],
  ['é', '05p91zd4jn8vg'],
  ['😀', '3pd1ev0tbdqbu'],
  ['tools__find', '0mcoyvw3qvgk3'],
])('the hash of %o is %s', (text, hash) => {
  expect(nameHash(text)).toBe(hash)
})
