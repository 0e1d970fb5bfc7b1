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

  test.each([{ type: 'integer' }, { type: 'number' }, optionalNumber, {}])(
    'a number keeps its digits with %j',
    (schema) => {
      const typed = typedValue('9007199254740993', schema)
      expect(JSON.stringify(typed)).toBe('{"kind":"value","value":9007199254740993}')
      expect(JSON.stringify(typedValue('[1e400]', undefined))).toBe('{"kind":"value","value":[1e400]}')
    },
  )

  test.each([
    ['many', { type: 'integer' }, 'a whole number'],
    ['1.5', { type: 'integer' }, 'a whole number'],
    ['0.12345678901234567890', { type: 'integer' }, 'a whole number'],
    ['9007199254740993', { type: 'object' }, 'an object in JSON'],
    ['yes', { type: 'boolean' }, 'true or false'],
    ['a', optionalNumber, 'a whole number or null'],
    ['{}', { type: 'array' }, 'a list in JSON'],
  ])('%s with %j is wrong', (text, schema, expected) => {
    expect(typedValue(text, schema)).toEqual({ kind: 'bad', expected })
  })
})
