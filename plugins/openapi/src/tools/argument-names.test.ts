import { expect, it } from 'vitest'
import type { Parameter } from '../operations/parameter.ts'
import { argumentNames } from './argument-names.ts'

const nameOf = (name: string): unknown => {
  const parameter = { name, place: 'query' } as Parameter
  return argumentNames([parameter], false).get(parameter)
}

it.each([
  ['filter[state]', 'filter_state'],
  ['__id__', 'id'],
  ['[a]__[b]', 'a____b'],
  ['__', 'value'],
])('the argument of %s is %s', (name, argument) => {
  expect(nameOf(name)).toBe(argument)
})

it('a name without end costs little: documents are from elsewhere', () => {
  // Quadratic time would be half an hour.
  expect(nameOf(`a${'_'.repeat(1_000_000)}b`)).toBe(`a${'_'.repeat(63)}`)
})
