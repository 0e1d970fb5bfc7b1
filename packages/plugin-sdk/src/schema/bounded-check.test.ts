import { expect, it } from 'vitest'
import * as z from 'zod'
import { compileSchema, type Schema } from './schema.ts'

const strings = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } }
const kinds = ['string', 'boolean', 'null', 'object', 'array'].map((type) => ({ type }))
const many = { type: 'object', properties: { list: { type: 'array', items: { anyOf: kinds } } } }
const zodStrings = z.object({ list: z.array(z.string()) })
const zodEndless = zodStrings.refine(() => {
  while (performance.now() > 0);
  return true
})
const zodLater = z.object({ list: z.array(z.string()) }).refine(async () => true)

function times<Item>(count: number, item: Item): readonly Item[] {
  return Array.from({ length: count }, () => item)
}

function checked(schema: Schema, list: readonly unknown[]) {
  return compileSchema(schema, 'schema', 'input').check({ list })
}

it.each([
  // To find all problems takes many seconds, and gigabytes.
  ['JSON Schema', many, times(2_000_000, 0)],
  ['zod', zodEndless, times(100_000, 'a')],
])('a check that does not end soon is ended, and the value is refused, with %s', async (_, schema, list) => {
  expect(await checked(schema, list)).toEqual({
    kind: 'invalid',
    problems: [{ path: '', expected: expect.stringMatching(/in 500 ms$/), got: {} }],
  })
})

it.each([
  ['JSON Schema', strings],
  ['zod', zodStrings],
  ['zod that waits', zodLater],
])('a large value passes, and its problems are told, with %s', async (_, schema) => {
  expect(await checked(schema, times(100_000, 'a'))).toMatchObject({ kind: 'valid' })
  expect(await checked(schema, [...times(100_000, 'a'), 7])).toMatchObject({
    problems: [{ path: '/list/100000' }],
  })
})

it('an error that a refinement throws for a large value is thrown as it is', () => {
  const thrown = new TypeError('broken')
  const { stack } = thrown
  const broken = zodStrings.refine(() => {
    throw thrown
  })
  expect(() => checked(broken, times(100_000, 'a'))).toThrow(thrown)
  expect(thrown.stack).toBe(stack)
})
