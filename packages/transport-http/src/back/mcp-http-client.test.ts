import { expect, test } from 'vitest'
import { createMcpHttpClient } from './index.ts'

test.each([
  ['Content-Type', 'text/plain'],
  ['mcp-session-id', 'mine'],
  ['Host', 'elsewhere'],
  ['x-bad', 'two\r\nlines'],
  ['bad name', 'x'],
])('the configured header %s: %j is refused', (name, value) => {
  expect(() => createMcpHttpClient({ url: 'http://127.0.0.1/', headers: { [name]: value } })).toThrow(/CONFIG_INVALID/)
})

test.each([['ftp://127.0.0.1/'], ['not a url'], ['http://user:secret@127.0.0.1/']])('the URL %s is refused', (url) => {
  expect(() => createMcpHttpClient({ url })).toThrow(/CONFIG_INVALID/)
})
