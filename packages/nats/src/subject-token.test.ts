import { expect, test } from 'vitest'
import { keyOfPath, pathOfKey, subjectPath, subjectToken, textOfToken } from './subject-token.ts'

test.each(['plain-name_1', 'a.b', '*', '>', 'a b\r\n', '=41', '', '$SYS', 'ä/€/😀', '\0'])(
  'every text stays within its part of a subject, and is decoded again: %j',
  (text) => {
    const token = subjectToken(text)
    expect(token).toMatch(/^[\w=-]+$/)
    expect(textOfToken(token)).toBe(text)
  },
)

test('different texts give different parts', () => {
  const texts = ['a', 'A', '=', '', '=3D', '%', '.', 'a.', '.a', '\u{1F600}', '\u00E9']
  expect(new Set(texts.map(subjectToken)).size).toBe(texts.length)
})

test('a text that is too long for a subject is refused', () => {
  expect(subjectToken('a'.repeat(1024))).toHaveLength(1024)
  expect(() => subjectToken('a'.repeat(1025))).toThrow(expect.objectContaining({ code: 'LIMIT_REACHED' }))
  expect(() => subjectToken('ä'.repeat(200))).toThrow(expect.objectContaining({ code: 'LIMIT_REACHED' }))
})

test.each(['owner.job', 'a', '', '.', 'a..b', '*.>'])('a key keeps its parts: %j', (key) => {
  const path = subjectPath(key)
  expect(path.split('.')).toHaveLength(key.split('.').length)
  expect(path).toMatch(/^[\w=-]+(?:\.[\w=-]+)*$/)
  expect(keyOfPath(path)).toBe(key)
})

test('a key that is too long for a subject, in a part or together, is refused, and has no path', () => {
  const longest = `${'a'.repeat(1024)}.${'b'.repeat(1023)}`
  expect(pathOfKey(longest)).toBe(longest)
  for (const key of ['a'.repeat(1025), 'ä'.repeat(200), `${longest}b`, 'a.'.repeat(2000), '.'.repeat(1_000_000)]) {
    expect(pathOfKey(key)).toBeUndefined()
    expect(() => subjectPath(key)).toThrow(expect.objectContaining({ code: 'LIMIT_REACHED' }))
  }
})
