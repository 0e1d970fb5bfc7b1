import { expect, test } from 'vitest'
import { describeValue } from './describe-value.ts'

test.each([
  [undefined, 'nothing'],
  [null, 'nothing (null)'],
  [[], 'an empty list'],
  [[1], 'a list'],
  [{ a: 1 }, 'a mapping'],
  [3, '3'],
  [true, 'true'],
  ['soon', '"soon"'],
  ['${env:TOKEN}', '${env:TOKEN}'],
  ['x'.repeat(100), `"${'x'.repeat(60)}…"`],
  ['https://ada:hunter2@x.example/mcp?key=hunter2', '"https://…@x.example/mcp?…"'],
])('%j is %s', (written, described) => {
  expect(describeValue(written, ['backends', 'one', 'url'])).toBe(described)
})

test.each([
  [['secrets', 'seal', 0]],
  [['backends', 'one', 'args', 1]],
  [['backends', 'one', 'env', 'HOME']],
  [['backends', 'one', 'headers', 'x']],
  [['backends', 'one', 'accessToken']],
  [['backends', 'one', 'api-key']],
  [['backends', 'one', 'dbPassword']],
])('the value at %j is described without its text', (path) => {
  expect(describeValue('hunter2', path)).toBe('text of 7 characters')
  expect(describeValue(1234, path)).toBe('a number')
  expect(describeValue('${file:/run/secrets/x}', path)).toBe('${file:/run/secrets/x}')
})
