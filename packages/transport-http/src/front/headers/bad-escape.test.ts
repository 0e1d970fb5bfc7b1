import { expect, test } from 'vitest'
import { badEscape } from './bad-escape.ts'

const expected = 'Expected a path with escapes of UTF-8 such as %20, and %25 for a "%" itself, got'

test.each([
  ['/mcp/50%?key=secret', '"%"'],
  ['/mcp/%zzz', '"%zzz"'],
  ['/mcp/a%20b%FF', '"%20b%FF"'],
  ['/mcp/%20/-/%4', '"%4"'],
  [`/mcp/%${'x'.repeat(100)}`, `"%${'x'.repeat(39)}"`],
])('the problem of %s names %s', (url, got) => {
  expect(badEscape(url)).toBe(`${expected} ${got}`)
})
