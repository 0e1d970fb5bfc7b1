import { expect, test } from 'vitest'
import { corsHeaders, preflightHeaders } from './cors.ts'

test('a request without an origin gets no CORS headers', () => {
  expect(corsHeaders(undefined)).toBeUndefined()
  expect(preflightHeaders('GET, POST, DELETE, OPTIONS', undefined, 'authorization')).toEqual({
    allow: 'GET, POST, DELETE, OPTIONS',
  })
})

test('an answer is for its origin alone, and exposes the response headers of MCP', () => {
  expect(corsHeaders('https://app.example.com')).toEqual({
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-expose-headers':
      'mcp-session-id, mcp-protocol-version, preference-applied, www-authenticate, retry-after, ratelimit, ratelimit-policy',
    vary: 'Origin',
  })
})

test('a preflight allows every header that a revision knows', () => {
  const { 'access-control-allow-headers': allowed } = preflightHeaders(
    'GET, POST, DELETE, OPTIONS',
    'https://app.example.com',
    undefined,
  )
  expect(allowed?.split(', ')).toEqual(
    expect.arrayContaining([
      'accept',
      'authorization',
      'content-type',
      'last-event-id',
      'mcp-session-id',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      // The proof for a token that is bound to a key (RFC 9449).
      'dpop',
    ]),
  )
})

test.each([
  ['mcp-param-region', ['mcp-param-region']],
  ['content-type, Mcp-Param-City , mcp-param-x_1', ['mcp-param-city', 'mcp-param-x_1']],
  ['x-evil, cookie, mcp-param-', []],
  ['mcp-param-a\r\nset-cookie: x', []],
  [`mcp-param-${'x'.repeat(65)}`, []],
])('of the headers that a browser asks for, %o adds %o', (wanted, added) => {
  const plain = preflightHeaders('GET, POST, DELETE, OPTIONS', 'https://app.example.com', undefined)[
    'access-control-allow-headers'
  ]
  const allowed = preflightHeaders('GET, POST, DELETE, OPTIONS', 'https://app.example.com', wanted)[
    'access-control-allow-headers'
  ]
  expect(allowed).toBe([plain, ...added].join(', '))
})
