import { describe, expect, it } from 'vitest'
import type { JsonValue } from '@junctor/plugin-sdk/link'
import { DocumentProblem } from '../document/document-problem.ts'
import { convertSchema } from './convert-schema.ts'

function convert(schema: JsonValue, version: '3.0' | '3.1' = '3.0', direction: 'input' | 'output' = 'input') {
  return convertSchema(schema, '', {
    document: { root: {}, version, unread: new Map() },
    direction,
    opened: new Set(),
    reference: (text) => text.replace('#/components/schemas', '#/$defs'),
  })
}

describe('keywords of 3.0', () => {
  it.each<[JsonValue, JsonValue]>([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ nullable: true, allOf: [{ type: 'object' }] }, { anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }] }],
    [{ $ref: '#/components/schemas/A', nullable: true }, { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', minimum: 1, exclusiveMinimum: 1 },
    ],
    [
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    [
      { type: 'string', format: 'byte' },
      { type: 'string', contentEncoding: 'base64' },
    ],
    [
      { type: 'string', format: 'binary' },
      { type: 'string', contentEncoding: 'base64' },
    ],
    [
      { $ref: '#/components/schemas/A', type: 'string', description: 'x' },
      { $ref: '#/$defs/A', description: 'x' },
    ],
  ])('%j becomes %j', (schema, expected) => {
    expect(convert(schema)).toEqual(expected)
  })
})

it('keywords beside a reference stay in 3.1', () => {
  const schema = { $ref: '#/components/schemas/A', type: ['object', 'null'], unevaluatedProperties: false }
  expect(convert(schema, '3.1')).toEqual({ ...schema, $ref: '#/$defs/A' })
})

it('members with the names of keywords are members', () => {
  const schema = {
    type: 'object',
    properties: { nullable: { type: 'string' }, example: { type: 'string' }, $ref: { type: 'string' }, default: {} },
  }
  expect(convert(schema)).toEqual(schema)
})

it('arguments have no read-only members, answers no write-only ones', () => {
  const text = { type: 'string' }
  const schema = {
    type: 'object',
    properties: { id: { ...text, readOnly: true }, key: { ...text, writeOnly: true }, name: text },
    required: ['id', 'key', 'name'],
  }
  const parts = ({ properties, required }: ReturnType<typeof convert>) => [Object.keys(properties as object), required]
  expect(parts(convert(schema, '3.1', 'input'))).toEqual([
    ['key', 'name'],
    ['key', 'name'],
  ])
  expect(parts(convert(schema, '3.1', 'output'))).toEqual([
    ['id', 'name'],
    ['id', 'name'],
  ])
})

describe('what validators refuse is left out', () => {
  it.each<[JsonValue, JsonValue]>([
    [{ type: 'file' }, {}],
    [{ type: ['any', 'string', 'string'] }, { type: 'string' }],
    [{ type: 'string', pattern: '(?i)[\\w-.]' }, { type: 'string' }],
    [{ type: 'string', maxLength: '5', required: true, enum: [], format: null }, { type: 'string' }],
    [
      { type: 'object', required: ['a', 'a', null], properties: null },
      { type: 'object', required: ['a'] },
    ],
    [{ allOf: [], items: null, anyOf: {}, 'x-own': 1, $id: 'urn:x', $schema: 'urn:y', discriminator: {} }, {}],
    [
      { type: 'integer', format: 'unix-time', description: 'When' },
      { type: 'integer', description: 'When\nFormat: unix-time' },
    ],
    [JSON.parse('{"__proto__": {"type": "string"}, "constructor": 1, "toString": {}}') as JsonValue, {}],
    [null, {}],
    [true, {}],
    [false, { not: {} }],
    ['string', {}],
  ])('%j becomes %j', (schema, expected) => {
    expect(convert(schema)).toEqual(expected)
  })
})

it('a schema without end is refused', () => {
  const schema: Record<string, JsonValue> = { type: 'array' }
  schema['items'] = schema
  expect(() => convert(schema)).toThrow(DocumentProblem)
})
