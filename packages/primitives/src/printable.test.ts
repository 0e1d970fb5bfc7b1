import { describe, expect, test } from 'vitest'
import { printable, printableLines } from './printable.ts'

describe('printable', () => {
  test.each([
    ['plain, ä, 漢字, 👩‍💻, می‌خواهم', 'plain, ä, 漢字, 👩‍💻, می‌خواهم'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['two\r\nlines\tof', 'two\\r\\nlines\\tof'],
    ['exe.\u202etxt', 'exe.\\u202etxt'],
    ['\u2066a\u2069 \u200e\u200f\u061c', '\\u2066a\\u2069 \\u200e\\u200f\\u061c'],
    ['a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['\u0000\u007f\u009b31m', '\\u0000\\u007f\\u009b31m'],
    ['\ufeff\u200b\u00ad', '\\ufeff\\u200b\\u00ad'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['☺\u{e0101}\u{e01ef}', '☺\\udb40\\udd01\\udb40\\uddef'],
    ['❤️‍🔥 \u3164\u115f\u034f\ufe01', '❤️‍🔥 \\u3164\\u115f\\u034f\\ufe01'],
    ['a\u200c\u200d\u200c', 'a\\u200c\\u200d\\u200c'],
    ['half \ud83d', 'half \\ud83d'],
  ])('%j is %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  test('a long text is truncated', () => {
    expect(printable('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`)
    expect(printable('\n'.repeat(5), 3)).toBe('\\n\\n\\n…')
  })
})

test('in several lines, only line feeds and tabs stay unescaped, and JSON stays JSON', () => {
  expect(printableLines('a\n\tb\r\u001b\u202e')).toBe('a\n\tb\\r\\u001b\\u202e')
  const value = { a: '\u001b]0;x\u0007\n\u202e\u2028\u{e0041}', b: ['\u009b'] }
  const text = printableLines(JSON.stringify(value, null, 2))
  expect(text).not.toMatch(/[^\n\x20-\x7e]/)
  expect(JSON.parse(text)).toEqual(value)
})
