import { describe, expect, it } from 'vitest'
import { readArguments } from './call-arguments.ts'

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    loud: { type: 'boolean' },
    list: { type: 'array' },
    map: { type: 'object' },
    any: {},
    either: { type: ['string', 'null'] },
  },
  required: ['text'],
}

const read = (file: string): string => {
  if (file !== 'a.txt') throw new Error('no such file')
  return 'from a file'
}

describe('readArguments', () => {
  it.each([
    ['text', 'text=hello', { text: 'hello' }],
    ['text that looks like a number', 'text=7', { text: '7' }],
    ['text with an equals sign', 'text=a=b', { text: 'a=b' }],
    ['nothing as text', 'text=', { text: '' }],
    ['a file', 'text=@a.txt', { text: 'from a file' }],
    ['text that begins with @', 'text=@@me', { text: '@me' }],
    ['a whole number', 'text=x count=3', { text: 'x', count: 3 }],
    ['a number', 'text=x ratio=0.5', { text: 'x', ratio: 0.5 }],
    ['a boolean', 'text=x loud=true', { text: 'x', loud: true }],
    ['a list', 'text=x list=[1,"a"]', { text: 'x', list: [1, 'a'] }],
    ['an object', 'text=x map={"a":1}', { text: 'x', map: { a: 1 } }],
    ['JSON where anything goes', 'text=x any={"a":1}', { text: 'x', any: { a: 1 } }],
    ['text where anything goes', 'text=x any=hello', { text: 'x', any: 'hello' }],
    ['text or null', 'text=x either=null', { text: 'x', either: 'null' }],
  ])('reads %s', (_name, words, expected) => {
    expect(readArguments(words.split(' '), schema, {}, read)).toEqual({ kind: 'arguments', value: expected })
  })

  it.each([
    ['patterns', { patternProperties: { '^x-': {} }, additionalProperties: false }],
    ['parts', { allOf: [{ properties: { 'x-a': {} } }] }],
    ['alternatives', { oneOf: [{ properties: { 'x-a': {} } }, {}] }],
    ['another schema', { $ref: '#/$defs/More' }],
    ['a condition', { if: {}, else: { properties: { 'x-a': {} } } }],
  ])('takes an argument that %s of the schema may have', (_name, more) => {
    const given = readArguments(['x-a=b'], { type: 'object', properties: { text: {} }, ...more }, {}, read)
    expect(given).toEqual({ kind: 'arguments', value: { 'x-a': 'b' } })
  })

  it('lets words override JSON', () => {
    const given = readArguments(['count=2'], schema, { text: 'x', count: 1 }, read)
    expect(given).toEqual({ kind: 'arguments', value: { text: 'x', count: 2 } })
  })

  it.each([
    ['a word that is no pair', 'hello', 'expected key=value, got "hello"'],
    ['an invalid number', 'text=x count=many', 'count is a whole number, got "many"'],
    ['half a whole number', 'text=x count=1.5', 'count is a whole number, got "1.5"'],
    ['yes', 'text=x loud=yes', 'loud is true or false, got "yes"'],
    ['an unknown argument', 'text=x txt=y', 'the tool has no argument "txt"; it has text, count'],
    ['a missing argument', 'count=1', 'an argument is missing: text'],
    ['an argument that is given twice', 'text=x text=y', 'expected each argument once, got "text" twice'],
    ['a file that is not there', 'text=@b.txt', 'expected a file that can be read, got b.txt'],
  ])('refuses %s', (_name, words, message) => {
    const given = readArguments(words.split(' '), schema, {}, read)
    expect(given).toMatchObject({ kind: 'bad', message: expect.stringContaining(message) as string })
  })

  it('accepts any argument of a tool that declares none', () => {
    expect(readArguments(['a=1'], { type: 'object' }, {}, read)).toEqual({ kind: 'arguments', value: { a: 1 } })
  })
})
