import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'

const schema = {
  safeParse: (value: unknown) =>
    typeof value === 'number'
      ? ({ success: true, data: value } as const)
      : ({ success: false, error: { issues: [{ path: [], message: 'expected a number' }] } } as const),
}

test('text and bytes are read the same way', () => {
  expect(readJson(schema, '17')).toEqual({ kind: 'read', value: 17 })
  expect(readJson(schema, Buffer.from('>17<').subarray(1, 3))).toEqual({ kind: 'read', value: 17 })
})

test.each([
  ['', 'expected JSON'],
  ['{', 'expected JSON'],
  ['"17"', 'expected a number'],
])('%j is unreadable, and not repeated', (text, problem) => {
  expect(readJson(schema, text)).toEqual({ kind: 'unreadable', problem })
})
