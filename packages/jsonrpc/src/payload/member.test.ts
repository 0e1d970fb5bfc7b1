import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrayText, canonical, objectText } from '../../test/fixtures/json-text.ts'
import { isJsonObject } from '../json/json.ts'
import { items, member, members } from './member.ts'
import { payloadFromText, payloadOf, printPayload, type Payload } from './payload.ts'

const kinds: [string, (text: string) => Payload][] = [
  ['text', payloadFromText],
  ['value', (text) => payloadOf(JSON.parse(text))],
]

const printed = (payload: Payload | undefined): string | undefined => payload && printPayload(payload)

describe.each(kinds)('of a payload that knows its %s', (_kind, make) => {
  test('a member is found by its name, but inherited properties are not', () => {
    const payload = make('{"a":{"b":null},"":"","x\\"y":[1]}')
    expect(printed(member(payload, 'a'))).toBe('{"b":null}')
    expect(printed(member(payload, ''))).toBe('""')
    expect(printed(member(payload, 'x"y'))).toBe('[1]')
    for (const name of ['b', 'toString', '__proto__', 'constructor']) expect(member(payload, name)).toBeUndefined()
  })

  test('a member named __proto__ is data', () => {
    expect(printed(member(make('{"__proto__":{"polluted":1}}'), '__proto__'))).toBe('{"polluted":1}')
  })

  test('of two members with one name the last one is used', () => {
    expect(printed(member(make('{"a":1,"\\u0061":2}'), 'a'))).toBe('2')
  })

  test('all members are found at once, with those named __proto__, and the last one of each name', () => {
    const found = members(make('{"a":1,"__proto__":{"polluted":1},"b":[2],"a":{"c":3}}'))
    expect([...found].map(([name, payload]) => [name, printed(payload)])).toEqual([
      ['a', '{"c":3}'],
      ['__proto__', '{"polluted":1}'],
      ['b', '[2]'],
    ])
    expect(members(make('{}')).size).toBe(0)
  })

  test('elements are returned in order', () => {
    expect(items(make('[1,"]",[2],{"a":[3]},null]')).map(printed)).toEqual(['1', '"]"', '[2]', '{"a":[3]}', 'null'])
    expect(items(make('[]'))).toEqual([])
  })

  test.each(['1', '"a"', 'null', 'true'])('%s has neither members nor elements', (text) => {
    expect(member(make(text), 'length')).toBeUndefined()
    expect(members(make(text)).size).toBe(0)
    expect(items(make(text))).toEqual([])
  })

  test('an object has no elements, an array no members', () => {
    expect(items(make('{"0":1}'))).toEqual([])
    expect(members(make('[1]')).size).toBe(0)
    expect(member(make('[1]'), '0')).toBeUndefined()
  })
})

test('members and elements keep the spelling of their numbers', () => {
  expect(printed(member(payloadFromText(' { "a" : 9007199254740993 } '), 'a'))).toBe('9007199254740993')
  expect(items(payloadFromText('[ 1.0 , 1e2 ,-0 ]')).map(printed)).toEqual(['1.0', '1e2', '-0'])
})

test('a member that is undefined is not found', () => {
  expect(member(payloadOf({ a: undefined }), 'a')).toBeUndefined()
  expect(members(payloadOf({ a: undefined })).size).toBe(0)
})

test('members and elements together form the whole value', () => {
  fc.assert(
    fc.property(objectText, (text) => {
      const value: unknown = JSON.parse(text)
      const names = isJsonObject(value) ? Object.keys(value) : []
      const texts = names.map((name) => `${JSON.stringify(name)}:${printed(member(payloadFromText(text), name))}`)
      expect(canonical(`{${texts.join(',')}}`)).toBe(canonical(text))
    }),
  )
  fc.assert(
    fc.property(arrayText, (text) => {
      expect(canonical(`[${items(payloadFromText(text)).map(printed).join(',')}]`)).toBe(canonical(text))
    }),
  )
})
