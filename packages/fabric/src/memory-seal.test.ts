import { expect, it } from 'vitest'
import { MemorySeal } from './memory-seal.ts'

const seal = new MemorySeal()
const data = Buffer.from('state')

it('opens what it has sealed, at its place', () => {
  const sealed = seal.close('place', data)
  expect(Buffer.from(seal.open('place', sealed) ?? [])).toEqual(data)
  expect(Buffer.from(sealed).includes(data)).toBe(false)
  expect(seal.close('place', data)).not.toEqual(sealed)
})

it('does not open anything else', () => {
  const sealed = seal.close('place', data)
  const changed = Buffer.from(sealed)
  changed[15] = (changed[15] ?? 0) ^ 1
  expect(seal.open('other', sealed)).toBeUndefined()
  expect(seal.open('place', changed)).toBeUndefined()
  expect(seal.open('place', sealed.subarray(0, 20))).toBeUndefined()
  expect(new MemorySeal().open('place', sealed)).toBeUndefined()
})
