import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { describeProblems } from './schema-problem.ts'
import { compileSchema, type Schema } from './schema.ts'

const wanted = z.object({ city: z.string(), days: z.int().min(1).default(3), unit: z.enum(['C', 'F']).optional() })
const wantedJson = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 }, unit: { enum: ['C', 'F'] } },
  required: ['city'],
  additionalProperties: false,
}

async function problemsOf(schema: Schema, value: unknown): Promise<string> {
  const checked = await compileSchema(schema, 'schema', 'input').check(value)
  return checked.kind === 'valid' ? 'valid' : describeProblems('', checked.problems)
}

describe('with zod', () => {
  it('a value that matches is returned as parsed by zod, defaults filled in, and not as a promise', () => {
    expect(compileSchema(wanted, 'schema', 'input').check({ city: 'Ulm' })).toEqual({
      kind: 'valid',
      value: { city: 'Ulm', days: 3 },
    })
  })

  it('the JSON Schema for clients marks a member with a default as optional, and has no $schema', () => {
    const { json } = compileSchema(wanted, 'schema', 'input')
    expect(json['required']).toEqual(['city'])
    expect(json).not.toHaveProperty('$schema')
  })

  it('the JSON Schema of an output marks a member with a default as required', () => {
    expect(compileSchema(wanted, 'schema', 'output').json['required']).toEqual(['city', 'days'])
  })

  it.each([
    [{}, '/city: expected string (got nothing)'],
    [{ city: 7 }, '/city: expected string (got 7)'],
    [{ city: 'Ulm', days: 0 }, '/days: Too small: expected number to be >=1 (got 0)'],
    [{ city: 'Ulm', unit: 'K' }, '/unit: expected one of "C"|"F" (got "K")'],
    ['Ulm', 'expected object (got "Ulm")'],
    [null, 'expected object (got null)'],
    [[], 'expected object'],
  ])('%j is refused with the reason', async (value, reason) => {
    expect(await problemsOf(wanted, value)).toBe(`:\n- ${reason}`)
  })

  it("an author's own message for a problem is kept", async () => {
    expect(await problemsOf(z.object({ city: z.string({ error: 'Name a city' }) }), {})).toContain('Name a city')
  })

  it('a schema with an asynchronous refinement is awaited, the second time as well as the first', async () => {
    const even = z.object({ n: z.number().refine(async (n) => n % 2 === 0, { error: 'must be even' }) })
    const { check } = compileSchema(even, 'schema', 'input')
    await expect(check({ n: 2 })).resolves.toEqual({ kind: 'valid', value: { n: 2 } })
    await expect(check({ n: 3 })).resolves.toMatchObject({ kind: 'invalid', problems: [{ expected: 'must be even' }] })
  })

  it('an exception in a refinement is thrown, because it is an error of the author', () => {
    const broken = z.object({}).refine(() => {
      throw new Error('broken')
    })
    expect(() => compileSchema(broken, 'schema', 'input').check({})).toThrow('broken')
  })

  it('accepts schemas of zod mini', async () => {
    expect(await problemsOf(mini.object({ a: mini.number() }), { a: 'x' })).toContain('/a:')
  })

  it('a type that JSON cannot carry is refused when the schema is compiled, with its name', () => {
    expect(() => compileSchema(z.object({ at: z.date() }), 'inputSchema of tool x', 'input')).toThrow(
      /^inputSchema of tool x cannot be used: Date cannot be represented/,
    )
  })
})

describe('with JSON Schema', () => {
  it('a value that matches is returned unchanged', () => {
    const value = { city: 'Ulm' }
    const checked = compileSchema(wantedJson, 'schema', 'input').check(value)
    expect(checked).toEqual({ kind: 'valid', value })
  })

  it('clients receive the schema unchanged, with unknown keywords', () => {
    const schema = { type: 'object', 'x-order': ['a'], $defs: { b: { $anchor: 'b' } } }
    expect(compileSchema(schema, 'schema', 'input').json).toBe(schema)
  })

  it.each([
    [{}, "must have required property 'city'"],
    [{ city: 7 }, '/city: must be string (got 7)'],
    [{ city: 'Ulm', days: 1.5 }, '/days: must be integer (got 1.5)'],
    [{ city: 'Ulm', unit: 'K' }, '/unit: must be equal to one of the allowed values: ["C","F"] (got "K")'],
    [{ city: 'Ulm', odd: 1 }, 'must NOT have additional properties: "odd"'],
    ['Ulm', 'must be object (got "Ulm")'],
  ])('%j is refused with the reason', async (value, reason) => {
    expect(await problemsOf(wantedJson, value)).toBe(`:\n- ${reason}`)
  })

  it('a constant is named in the reason', async () => {
    expect(await problemsOf({ type: 'object', properties: { a: { const: 'x' } } }, { a: 'y' })).toContain(
      '"x" (got "y")',
    )
  })

  it('all problems are reported together', async () => {
    expect((await problemsOf(wantedJson, { city: 7, days: 'x' })).split('\n')).toHaveLength(3)
  })

  it('references, anchors and conditions of 2020-12 are supported', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { home: { $ref: '#/$defs/address' }, kind: { type: 'string' } },
      $defs: { address: { $anchor: 'address', type: 'object', required: ['street'] } },
      if: { properties: { kind: { const: 'away' } }, required: ['kind'] },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword's name
      then: { required: ['home'] },
    }
    expect(await problemsOf(schema, { kind: 'at home' })).toBe('valid')
    expect(await problemsOf(schema, { kind: 'away' })).toContain("required property 'home'")
    expect(await problemsOf(schema, { home: {} })).toContain("required property 'street'")
  })

  it('formats are annotations', async () => {
    expect(await problemsOf({ type: 'object', properties: { a: { format: 'email' } } }, { a: 'no address' })).toBe(
      'valid',
    )
  })

  it('two schemas may have the same $id', () => {
    const schema = (): Schema => ({ $id: 'https://example.com/a', type: 'object' })
    expect(compileSchema(schema(), 'schema', 'input')).toBeDefined()
    expect(compileSchema(schema(), 'schema', 'input')).toBeDefined()
  })

  it('a schema that cannot be compiled is refused, with its name', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } }
    expect(() => compileSchema(schema, 'inputSchema of tool x', 'input')).toThrow(
      /^inputSchema of tool x cannot be used/,
    )
  })
})

it.each<[string, Schema]>([
  ['text', z.string()],
  ['a choice of objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ['a JSON Schema without type', { properties: {} }],
])('a schema that does not have type object is refused: %s', (_, schema) => {
  expect(() => compileSchema(schema, 'inputSchema of tool x', 'input')).toThrow(
    /^inputSchema of tool x must have type "object", got /,
  )
})
