import { expect, it } from 'vitest'
import { type DataSchema, readData } from './read-data.ts'

const failing = (...issues: { path: PropertyKey[]; message: string }[]): DataSchema<never> => ({
  safeParse: () => ({ success: false, error: { issues } }),
})

it('returns what the schema makes of the data', () => {
  const schema: DataSchema<string> = { safeParse: (value) => ({ success: true, data: `read ${String(value)}` }) }
  expect(readData(schema, 7)).toEqual({ kind: 'read', value: 'read 7' })
})

it.each([
  [failing({ path: ['a', 0], message: 'expected a text' }, { path: [], message: 'more' }), 'a.0: expected a text'],
  [failing({ path: [], message: 'expected an object' }), 'expected an object'],
  [failing(), 'invalid'],
])('names the first problem and its place', (schema, problem) => {
  expect(readData(schema, 7)).toEqual({ kind: 'unreadable', problem })
})
