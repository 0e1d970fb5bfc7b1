import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import { commonOptionsSchema } from '../src/schema/backend-schema.ts'
import { sections } from '../src/schema/sections.ts'
import { tenantSchema } from '../src/schema/tenant-schema.ts'
import { createParsing, problemsOf } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

type Words = readonly string[]

interface Place {
  readonly words: Words
  /** It contains other words. */
  readonly isMapping: boolean
}

/** Returns every word that a schema knows, with the words that lead to it. Names that the user chooses are `a`. */
function placesIn(schema: unknown, words: Words): readonly Place[] {
  if (!isJsonObject(schema)) return []
  const { properties, additionalProperties, propertyNames, anyOf } = schema
  const branches = Array.isArray(anyOf) ? anyOf.flatMap((branch) => placesIn(branch, words)) : []
  if (branches.some(({ isMapping }) => isMapping))
    return [{ words, isMapping: true }, ...branches.filter(isBelow(words))]
  const members = isJsonObject(properties) ? Object.entries(properties) : []
  const named = propertyNames !== undefined && isJsonObject(additionalProperties)
  const inner = named ? [...members, ['a', additionalProperties] as const] : members
  const isMapping = inner.length > 0 || Object.keys(schema).length === 0
  return [{ words, isMapping }, ...inner.flatMap(([word, member]) => placesIn(member, [...words, word]))]
}

function isBelow(words: Words): (place: Place) => boolean {
  return (place) => place.words.length > words.length
}

function schemaOf(schema: z.ZodType): JsonObject {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject
  const { $schema: _schema, default: _default, ...rest } = json
  return rest
}

const places = [
  ...Object.entries(sections).flatMap(([word, schema]) => placesIn(schemaOf(schema), [word])),
  ...placesIn(schemaOf(commonOptionsSchema), ['backends', 'a']),
  ...placesIn(schemaOf(tenantSchema), ['tenants', 'a']),
]

test('words of all depths are known', () => {
  const known = places.map(({ words }) => words.join('.'))
  expect(known).toEqual(
    expect.arrayContaining([
      'timeout',
      'listen.admin.token',
      'auth.apiKeys.a.hash',
      'backends.a.isolation',
      'tenants.a.members.claim',
      'limits.body',
      'fabric.nats.tls.ca',
    ]),
  )
})

test('every word is in the documentation', () => {
  const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
  const known = new Set(places.map(({ words }) => words.at(-1) ?? '').filter((word) => word !== 'a'))
  expect([...known].filter((word) => !new RegExp(`\\b${word}\\b`).test(page))).toEqual([])
})

test.each(places)('an invalid value at $words is reported at its position', ({ words, isMapping }) => {
  // A number is never a mapping, and the other value is not a valid mapping here.
  const wrong: JsonValue = isMapping ? 5 : { zz: 5 }
  const file = words.reduceRight<JsonValue>((value, word) => ({ [word]: value }), wrong)
  const text = JSON.stringify(file, undefined, 1)
  const problem = problemsOf(parsing.parse(text)).find(({ path }) => path === words.join('.'))
  expect(problem).toMatchObject({ kind: 'wrong_value' })
  const line = text.split('\n')[(problem?.line ?? 0) - 1] ?? ''
  expect(line.slice((problem?.column ?? 0) - 1)).toBe(isMapping ? '5' : '{')
  expect([problem?.got, problem?.expected, problem?.next]).not.toContain('')
})
