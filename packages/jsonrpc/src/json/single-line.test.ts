import { expect, test } from 'vitest'
import { singleLine } from './single-line.ts'

test.each([
  ['{"a":1}', '{"a":1}'],
  ['{ "a" : 1 }', '{ "a" : 1 }'],
  ['{\n  "a": "\\n",\n\n  "b": [\n    1,\n    2\n  ]\n}\n', '{"a": "\\n","b": [1,2]}'],
  ['[1,\r\t2]', '[1,2]'],
  ['\r\n[1,\r\n2]', '[1,2]'],
])('%j becomes one line', (text, expected) => {
  expect(singleLine(text)).toBe(expected)
})
