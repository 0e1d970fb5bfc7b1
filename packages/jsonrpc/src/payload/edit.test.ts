import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, objectText, valueText } from '../../test/fixtures/json-text.ts'
import { edit } from './edit.ts'
import { memberTexts } from '../json/json-scan.ts'
import { knownValue, payloadFromText, payloadOf, payloadOfParsed, printPayload, type Payload } from './payload.ts'
import { singleLine } from '../json/single-line.ts'

const kinds: [string, (text: string) => Payload][] = [
  ['text', payloadFromText],
  ['value', (text) => payloadOf(JSON.parse(text))],
  ['text and value', (text) => payloadOfParsed(JSON.parse(text), text)],
]

describe.each(kinds)('edit of a payload that knows its %s', (_kind, make) => {
  test.each([
    ['sets a member in its place', { b: 9 }, '{"a":1,"b":9,"c":3}'],
    ['adds a member at the end', { d: [4] }, '{"a":1,"b":2,"c":3,"d":[4]}'],
    ['removes the first member', { a: undefined }, '{"b":2,"c":3}'],
    ['removes the last member', { c: undefined }, '{"a":1,"b":2}'],
    ['removes all members', { a: undefined, b: undefined, c: undefined }, '{}'],
    ['sets null, which is a value', { a: null }, '{"a":null,"b":2,"c":3}'],
    ['does nothing without members', {}, '{"a":1,"b":2,"c":3}'],
    ['does nothing to a member that is not there', { x: undefined }, '{"a":1,"b":2,"c":3}'],
    ['sets several at once', { c: 1, a: 3, d: 4 }, '{"a":3,"b":2,"c":1,"d":4}'],
    ['takes a payload for a member', { b: payloadOf({ x: 1 }) }, '{"a":1,"b":{"x":1},"c":3}'],
    ['keeps the spelling of a payload', { b: payloadFromText('1.0') }, '{"a":1,"b":1.0,"c":3}'],
  ])('%s', (_name, patch, expected) => {
    const payload = make('{"a":1,"b":2,"c":3}')
    expect(printPayload(edit(payload, patch))).toBe(expected)
    expect(printPayload(payload)).toBe('{"a":1,"b":2,"c":3}')
  })

  test('fills an empty object', () => {
    expect(printPayload(edit(make('{}'), { a: 1 }))).toBe('{"a":1}')
  })

  test('sets a member named __proto__ as data', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":true}}')
    const edited = edit(make('{"a":1}'), patch)
    expect(printPayload(edited)).toBe('{"a":1,"__proto__":{"polluted":true}}')
    expect(edited.value()).not.toHaveProperty('polluted')
    expect(printPayload(edit(edited, { a: 2 }))).toBe('{"a":2,"__proto__":{"polluted":true}}')
    expect({}).not.toHaveProperty('polluted')
  })

  test.each(['[1,2]', '"{}"', '3', 'null'])('returns %s unchanged', (text) => {
    const payload = make(text)
    expect(edit(payload, { a: 1 })).toBe(payload)
    expect(edit(payload, { a: payloadFromText('1') })).toBe(payload)
  })

  test('can be repeated', () => {
    expect(printPayload(edit(edit(make('{"a":1}'), { b: 2 }), { a: undefined, c: 3 }))).toBe('{"b":2,"c":3}')
  })
})

test('setting a repeated member leaves one of them, removing it leaves none', () => {
  const payload = payloadFromText('{"a":1,"b":2,"\\u0061":3}')
  expect(printPayload(edit(payload, { a: 4 }))).toBe('{"a":4,"b":2}')
  expect(printPayload(edit(payload, { a: undefined }))).toBe('{"b":2}')
})

test('all members except the edited ones keep their exact text', () => {
  fc.assert(
    fc.property(objectText.map(singleLine), fc.string(), valueText.map(singleLine), (text, added, set) => {
      const before = memberTexts(text)
      const [first = 'none'] = before.keys()
      const after = memberTexts(
        printPayload(edit(payloadFromText(text), { [added]: payloadFromText(set), [first]: undefined })),
      )
      const expected = new Map(before).set(added, set)
      expected.delete(first)
      expect([...after.keys()].toSorted()).toEqual([...expected.keys()].toSorted())
      for (const [name, member] of expected) expect(after.get(name)).toBe(member)
    }),
  )
})

test('editing the value and editing the text give the same JSON', () => {
  fc.assert(
    fc.property(objectText, fc.string(), fc.jsonValue(), (text, name, value) => {
      const printed = JSON.stringify(JSON.parse(text))
      const patch = { [name]: JSON.parse(JSON.stringify(value)) }
      const [onText, onValue, onBoth] = kinds.map(([, make]) => canonical(printPayload(edit(make(printed), patch))))
      expect([onText, onBoth]).toEqual([onValue, onValue])
    }),
  )
})

test('a known value stays known, and equals the value of the text', () => {
  fc.assert(
    fc.property(objectText.map(singleLine), fc.string(), fc.jsonValue(), (text, name, value) => {
      const [first = 'none'] = memberTexts(text).keys()
      const patch = { [name]: JSON.parse(JSON.stringify(value)), [first]: undefined }
      const edited = edit(payloadOfParsed(JSON.parse(text), text), patch)
      expect(canonical(JSON.stringify(knownValue(edited)))).toBe(
        canonical(JSON.stringify(JSON.parse(printPayload(edited)))),
      )
    }),
  )
})

test('an edit does not parse the payload of a member', () => {
  const entry = payloadFromText('{"large":true}')
  const edited = edit(payloadOfParsed({ a: 1 }, '{"a":1}'), { b: entry })
  expect(knownValue(entry)).toBeUndefined()
  expect(edited.value()).toEqual({ a: 1, b: { large: true } })
})
