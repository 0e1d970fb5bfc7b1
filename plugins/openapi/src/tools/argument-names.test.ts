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

it('many equal names cost little, too', () => {
  const parameters = Array.from({ length: 50_000 }, () => ({ name: 'a', place: 'query' }) as Parameter)
  // If each were counted from one, this would take minutes.
  const names = [...argumentNames(parameters, false).values()]
  expect(names.slice(0, 3)).toEqual(['a', 'a_query', 'a_query2'])
  expect(names.at(-1)).toBe('a_query49999')
})
