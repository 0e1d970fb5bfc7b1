import { describe, expect, test } from 'vitest'
import { typedValue } from './typed-value.ts'

const optionalText = { anyOf: [{ type: 'string' }, { type: 'null' }] }
const optionalNumber = { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }

describe('typedValue', () => {
  test.each([
    ['7', { type: 'string' }, '7'],
    ['7', { type: 'integer' }, 7],
    ['0.5', { type: 'number' }, 0.5],
    ['true', { type: 'boolean' }, true],
    ['[1]', { type: 'array' }, [1]],
    ['{"a":1}', { type: 'object' }, { a: 1 }],
    ['7', optionalText, '7'],
    ['7', optionalNumber, 7],
    ['null', optionalNumber, null],
    ['7', { enum: ['7', '8'] }, '7'],
    ['7', { enum: [7, 8] }, 7],
    ['x', { const: 'x' }, 'x'],
    ['7', { anyOf: [{ $ref: '#/$defs/Any' }, { type: 'null' }] }, 7],
    ['7', {}, 7],
    ['seven', {}, 'seven'],
    ['seven', undefined, 'seven'],
  ])('%s with %j is %j', (text, schema, value) => {
    expect(typedValue(text, schema)).toEqual({ kind: 'value', value })
  })

  test.each([
    ['many', { type: 'integer' }, 'a whole number'],
    ['1.5', { type: 'integer' }, 'a whole number'],
    ['yes', { type: 'boolean' }, 'true or false'],
    ['a', optionalNumber, 'a whole number or null'],
    ['{}', { type: 'array' }, 'a list in JSON'],
  ])('%s with %j is wrong', (text, schema, expected) => {
    expect(typedValue(text, schema)).toEqual({ kind: 'bad', expected })
  })
})
