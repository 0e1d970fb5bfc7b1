import { describe, expect, it } from 'vitest'
import { compileJsonSchema } from './json-schema.ts'
import type { UncheckedPattern } from './linear-pattern.ts'

/** Whether each of the values matches. */
function verdicts(schema: object, values: readonly unknown[], unchecked?: (one: UncheckedPattern) => void): object {
  const check = compileJsonSchema(schema as Record<string, never>, unchecked)
  return values.map((value) => check(value).kind === 'valid')
}

/** What a check says, and that it is over in a time in which nobody would notice it. */
function quickly(schema: object, value: unknown): string {
  const check = compileJsonSchema(schema as Record<string, never>)
  const startedAt = process.threadCpuUsage().user
  const checked = check(value)
  expect((process.threadCpuUsage().user - startedAt) / 1_000).toBeLessThan(2_000)
  return checked.kind === 'valid' ? 'valid' : checked.problems.map(({ expected }) => expected).join('; ')
}

const refs = (keyword: string, count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `d${at}`,
      { [keyword]: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  )

describe('a hostile schema or value takes no more time than another', () => {
  it.each([
    ['a pattern that nests repetitions', '^(a+)+$', `${'a'.repeat(100_000)}!`],
    ['a pattern of alternatives that overlap', '^(?:a|a)*$', `${'a'.repeat(100_000)}!`],
    ['a pattern with many ways to end', '^.*.*.*.*=$', 'a'.repeat(100_000)],
    ['counted repetitions', '^(?:a?){500}a{400}$', 'a'.repeat(399)],
  ])('%s', (_, pattern, text) => {
    expect(quickly({ pattern }, text)).toBe(`must match pattern "${pattern}"`)
    expect(quickly({ patternProperties: { [pattern]: false }, propertyNames: { pattern } }, { [text]: 1 })).toContain(
      'pattern',
    )
  })

  it('a text that is too long for a large pattern is refused', () => {
    const schema = { items: { pattern: '(?:a|b)*a(?:a|b){300}[de]' } }
    expect(quickly(schema, ['ab'.repeat(100)])).toContain('must match pattern')
    expect(quickly(schema, ['ab'.repeat(100_000)])).toMatch(/: a text has more than the \d+ characters/)
  })

  it('items are unique, or not, in linear time', () => {
    const items = Array.from({ length: 30_000 }, (_, n) => ({ n }))
    expect(quickly({ uniqueItems: true }, items)).toBe('valid')
    expect(quickly({ uniqueItems: true }, [...items, { n: 7 }])).toBe(
      'must NOT have duplicate items (items ## 7 and 30000 are identical)',
    )
  })

  it.each(['allOf', 'anyOf', 'oneOf'])('references in %s that double at each step are given up', (keyword) => {
    const schema = { $ref: '#/$defs/d0', $defs: { ...refs(keyword, 60), d60: { type: 'string', minLength: 5 } } }
    expect(quickly(schema, 'abc')).toBe('expected a value that can be checked against the schema in 500 ms')
  })

  it('a reference to itself that doubles at each level of the value is given up', () => {
    const schema = { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }
    const value = Array.from({ length: 60 }).reduce<object>((inner) => ({ a: inner }), {})
    expect(quickly(schema, value)).toContain('in 500 ms')
  })

  it('the errors of references, which are copied each time, are given up', () => {
    const schema = {
      items: { $ref: '#/$defs/a' },
      $defs: { a: { properties: { b: { $ref: '#/$defs/c' } } }, c: false },
    }
    const value = Array.from({ length: 200_000 }, () => ({ b: 1 }))
    expect(quickly(schema, value)).toContain('in 500 ms')
  })

  it('the next check has all the time again', () => {
    const schema = { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }
    const deep = Array.from({ length: 60 }).reduce<object>((inner) => ({ a: inner }), {})
    expect(verdicts(schema, [deep, { a: {} }])).toEqual([false, true])
  })

  it('what is referenced often is compiled once', () => {
    const large = { enum: [0], properties: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, {}])) }
    const properties = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`p${n}`, { $ref: '#/$defs/large' }]))
    const startedAt = process.threadCpuUsage().user
    compileJsonSchema({ properties, $defs: { large } })
    expect((process.threadCpuUsage().user - startedAt) / 1_000).toBeLessThan(3_000)
  })
})

describe('patterns that cannot be matched in linear time', () => {
  it('refuse a schema of the author', () => {
    expect(() => compileJsonSchema({ pattern: '^(?!a)' })).toThrow(
      'the pattern ^(?!a) cannot be matched in linear time: it has (?!',
    )
  })

  it.each([
    ['with a look-ahead', '^(?=.*a).*$', 'it has (?='],
    ['with a reference to a group', String.raw`(a)\1`, String.raw`it has \1`],
    ['too large', '(?:[ab]{100}c){10}[ab]{1000}', 'it is too large'],
    ['with a property that RE2 does not know', String.raw`\p{Script_Extensions=Greek}`, 'error parsing regexp: '],
  ])('are named and not checked in a foreign schema: %s', (_, pattern, why) => {
    const named: UncheckedPattern[] = []
    const schema = { properties: { a: { type: 'string', pattern } }, required: ['a'], additionalProperties: false }
    const values = [{ a: 'x' }, { a: 1 }, {}, { a: 'x', b: 1 }]
    expect(verdicts(schema, values, (one) => named.push(one))).toEqual([true, false, false, false])
    expect(named).toEqual([{ pattern, why: expect.stringContaining(why) }])
  })

  it.each([
    ['pattern in not', { not: { pattern: '(?=a)' } }, ['b', 'a'], [true, true]],
    ['pattern in oneOf', { oneOf: [{ pattern: '(?=a)' }, { type: 'string' }] }, ['b', 1], [true, true]],
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword's name
    ['a condition', { if: { pattern: '(?=a)' }, then: false, else: { type: 'string' } }, ['b', 1], [true, false]],
    [
      'names of members',
      { patternProperties: { '(?=a)': { type: 'string' } }, additionalProperties: false },
      [{ a: 'x' }, { a: 1 }],
      [true, false],
    ],
  ])('refuse nothing on their own: %s', (_, schema, values, expected) => {
    expect(verdicts(schema, values, () => undefined)).toEqual(expected)
  })

  it('those after many others are not checked', () => {
    const named: UncheckedPattern[] = []
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, { pattern: `a{800}${n}` }]))
    expect(verdicts({ properties }, [{ p0: 'b' }, { p49: 'b' }], (one) => named.push(one))).toEqual([false, true])
    expect(named.at(-1)).toEqual({ pattern: 'a{800}49', why: 'the patterns of the schema are too many' })
  })
})

describe('items are equal as JSON values', () => {
  it.each([
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    [[{ a: { c: 1, d: 2 } }, { a: { d: 2, c: 1 } }], false],
    [[1, 1.0], false],
    [[0, -0], false],
    [[1, '1', true, 'true', null, 'null', [1], ['1'], { 1: 1 }, [], {}, '', [[]], [null], '[1]'], true],
    [
      [
        [1, 2],
        [2, 1],
      ],
      true,
    ],
    [['a,b', ['a', 'b'], ['a,b']], true],
    [[{ a: 1 }, { a: 1, b: null }], true],
    [[JSON.parse('{"__proto__":1}'), {}, JSON.parse('{"__proto__":2}')], true],
    [[Number.POSITIVE_INFINITY, null, Number.NEGATIVE_INFINITY], true],
    [['\u00E9', 'e\u0301'], true],
    [[], true],
  ])('%j: %s', (items, isUnique) => {
    expect(verdicts({ uniqueItems: true }, [items])).toEqual([isUnique])
    expect(verdicts({ uniqueItems: false }, [items])).toEqual([true])
  })

  it('what is no list is not compared', () => {
    expect(verdicts({ uniqueItems: true }, ['aa', { a: 1, b: 1 }])).toEqual([true, true])
  })
})

it('members that a reference has judged are not judged again', () => {
  const schema = { $ref: '#/$defs/a', unevaluatedProperties: false, $defs: { a: { properties: { x: {} } } } }
  expect(verdicts(schema, [{ x: 1 }, { y: 1 }])).toEqual([true, false])
})

it('dynamic references are followed', () => {
  const schema = {
    $id: 'https://example.com/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
  }
  expect(verdicts(schema, [{ children: [{ children: [] }] }, { children: [{ children: 1 }] }])).toEqual([true, false])
})

it('what every object of JavaScript inherits is not a member', () => {
  const constructor = { type: 'string' }
  expect(verdicts({ properties: { constructor } }, [{}, { constructor: 'x' }, { constructor: 1 }])).toEqual([
    true,
    true,
    false,
  ])
  expect(verdicts({ required: ['toString'] }, [{}, { toString: 1 }])).toEqual([false, true])
})
