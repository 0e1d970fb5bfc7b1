import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valueText } from '../../test/fixtures/json-text.ts'
import { repeatsNames } from './repeats-names.ts'

const repeats = (text: string): boolean => repeatsNames(text, JSON.parse(text))

describe('repeatsNames', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":1},"a":2}',
    '[{"x":[{"a":1 , "b":2,\n"a" : 3}]}]',
    '{"a":1,"\\u0061":2}',
    '{"\\"":1,"\\u0022":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
    '{"a" :":a","a"\n:"\\\\"}',
    '{"a\\\\":":","a\\\\":1}',
  ])('finds them in %s', (text) => {
    expect(repeats(text)).toBe(true)
  })

  test.each([
    '{}',
    '{"a":{"a":{"a":"a"}},"b":["a","a"],"c":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":"a:","b":"\\"a\\":"}',
    '{"a":":b","b":" :","c\\\\":["\\\\",":"]}',
    '{"constructor":1,"toString":2,"__proto__":3}',
  ])('finds none in %s', (text) => {
    expect(repeats(text)).toBe(false)
  })

  test('finds none in what JSON.stringify prints', () => {
    fc.assert(fc.property(valueText, (text) => !repeats(JSON.stringify(JSON.parse(text)))))
  })
})
