import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'

test('has no character at which a reader of lines ends one, and the same value', () => {
  const line = '{"a\u2028":"\\\\\u2029 \u0085 \\u2028 ü \u{1f600}"}'
  expect(plainLine(line)).toBe(String.raw`{"a\u2028":"\\\u2029 \u0085 \u2028 ü 😀"}`)
  expect(JSON.parse(plainLine(line))).toEqual(JSON.parse(line))
})

test.each(['\u0085', '\u2028', '\u2029'])('escapes %j alone', (character) => {
  expect(JSON.parse(plainLine(`["${character}"]`))).toEqual([character])
  expect(plainLine(`["${character}"]`)).not.toContain(character)
})

test('leaves every other line as it is', () => {
  expect(plainLine('{"a":[1.0, "ü\\n\\u2028"]}')).toBe('{"a":[1.0, "ü\\n\\u2028"]}')
})
