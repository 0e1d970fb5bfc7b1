import { expect, test } from 'vitest'
import { createPaint } from '../report/paint.ts'
import { prettyLine } from './pretty-line.ts'

const record = { level: 'warn', time: '2026-11-21T03:04:05.678Z', message: 'a link broke' } as const

test.each([
  [{}, ''],
  [{ backend: 'files', links: 3, last: false }, ' backend=files links=3 last=false'],
  [{ reason: 'no such file' }, ' reason="no such file"'],
  [{ text: 'a=b' }, ' text="a=b"'],
  [{ empty: '' }, ' empty=""'],
  [{ error: { type: 'Error', message: 'no such file', stack: 'Error: …' } }, ' error="no such file"'],
  [{ list: [1, 'a'] }, ' list=[1,"a"]'],
  [{ text: 'two\nlines' }, ' text="two\\nlines"'],
])('%j makes one line', (fields, rest) => {
  expect(prettyLine({ ...record, ...fields }, createPaint(false))).toBe(`03:04:05.678 warn  a link broke${rest}\n`)
})

test('at the level debug, the stack of an error follows, and cannot move the cursor', () => {
  const error = { type: 'Error', message: 'boom', stack: 'Error: boom\n    at create (weather.ts:3:9)\u001b[2J' }
  const line = prettyLine({ ...record, level: 'debug', message: 'failed', error }, createPaint(false))
  expect(line).toBe(
    '03:04:05.678 debug failed error="boom"\n    Error: boom\n    at create (weather.ts:3:9)\\u001b[2J\n',
  )
})

test('the level has a colour when there are colours', () => {
  expect(prettyLine(record, createPaint(true))).toBe('03:04:05.678 \u001b[33mwarn \u001b[39m a link broke\n')
})

test('text in a record cannot move the cursor, reverse text or add a line', () => {
  const odd = {
    level: 'info',
    time: '2026-01-01T00:00:00.000Z',
    message: 'a\u001b[2J',
    word: 'b\u001b\u202e',
  } as const
  expect(prettyLine(odd, createPaint(false))).toBe('00:00:00.000 info  a\\u001b[2J word=b\\u001b\\u202e\n')
})
