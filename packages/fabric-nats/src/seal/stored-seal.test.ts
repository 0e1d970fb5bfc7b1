import { expect, test } from 'vitest'
import { createClusterKey } from './cluster-key.ts'
import { StoredSeal } from './stored-seal.ts'

const data = Buffer.from('what is stored')
const one = createClusterKey('one')
const two = createClusterKey('two')
const sealed = new StoredSeal([one]).close('place', data)

test('stored data open for every process with the key, only at their place, and reveal nothing', () => {
  const other = new StoredSeal([one])
  expect(other.open('place', sealed)).toEqual(data)
  expect(other.open('place', sealed)).toEqual(data)
  expect(other.open('another place', sealed)).toBeUndefined()
  expect(new StoredSeal([two]).open('place', sealed)).toBeUndefined()
  expect(Buffer.from(sealed).includes('stored')).toBe(false)
  expect(other.open('', new StoredSeal([one]).close('', Buffer.alloc(0)))).toEqual(Buffer.alloc(0))
})

test('changed or cut data do not open', () => {
  const seal = new StoredSeal([one])
  for (let at = 0; at < sealed.length; at += 1) {
    expect(
      seal.open(
        'place',
        sealed.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      ),
    ).toBeUndefined()
    expect(seal.open('place', sealed.subarray(0, at))).toBeUndefined()
  }
  for (const text of ['', '{}', 'x'.repeat(100)]) expect(seal.open('place', Buffer.from(text))).toBeUndefined()
})

test('two equal texts are sealed differently, by one process or by two', () => {
  const seals = [new StoredSeal([one]), new StoredSeal([one])]
  const texts = Array.from({ length: 100 }, (_, n) => seals[n % 2]?.close('place', data))
  // The salt and the number, from which the key and the nonce are made.
  expect(new Set(texts.map((text) => Buffer.from(text ?? []).toString('hex', 5, 27))).size).toBe(100)
})

test('the first key seals, and all keys open', () => {
  expect(new StoredSeal([two, one]).open('place', sealed)).toEqual(data)
  expect(new StoredSeal([two]).open('place', new StoredSeal([two, one]).close('place', data))).toEqual(data)
})
