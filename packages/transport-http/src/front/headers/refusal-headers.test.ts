import { expect, test } from 'vitest'
import { refusalHeaders } from './refusal-headers.ts'

const lacking = 'Bearer error="insufficient_scope", error_description="The token lacks a scope that is required here"'
const limit = { of: 'tenant', calls: 100, windowMs: 9_429 }

function errorWith(data: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'no', data } })
}

test.each([
  ['an answer', 200, errorWith({ retryAfterMs: 5_000 }), undefined],
  ['no text', 503, '', { 'retry-after': '1' }],
  ['a text that is no JSON', 503, 'busy', { 'retry-after': '1' }],
  ['an error without data', 503, '{"error":{}}', { 'retry-after': '1' }],
  ['milliseconds, rounded up', 503, errorWith({ retryAfterMs: 4_001 }), { 'retry-after': '5' }],
  ['no time at all', 429, errorWith({ retryAfterMs: 0 }), { 'retry-after': '1' }],
  ['a wrong time', 429, errorWith({ retryAfterMs: -5 }), { 'retry-after': '1' }],
  [
    'a limit',
    429,
    errorWith({ retryAfterMs: 2_500, limit }),
    { 'retry-after': '3', ratelimit: '"tenant";r=0;t=3', 'ratelimit-policy': '"tenant";q=100;w=10' },
  ],
  ['a limit with a wrong name', 429, errorWith({ limit: { ...limit, of: 'a"b' } }), { 'retry-after': '1' }],
  ['a limit with a wrong number', 429, errorWith({ limit: { ...limit, calls: 1.5 } }), { 'retry-after': '1' }],
  [
    'a scope that the token lacks',
    403,
    errorWith({ reason: 'insufficient_scope', scope: 'a b:c', resource_metadata: 'https://gw.example.com/m' }),
    { 'www-authenticate': `${lacking}, scope="a b:c", resource_metadata="https://gw.example.com/m"` },
  ],
  [
    'a scope alone',
    403,
    errorWith({ reason: 'insufficient_scope', scope: 'a' }),
    { 'www-authenticate': `${lacking}, scope="a"` },
  ],
  ['a scope with a quote', 403, errorWith({ reason: 'insufficient_scope', scope: 'a" b' }), undefined],
  [
    'a URL with a quote',
    403,
    errorWith({ reason: 'insufficient_scope', scope: 'a', resource_metadata: 'https://x/"' }),
    { 'www-authenticate': `${lacking}, scope="a"` },
  ],
  ['another refusal', 403, errorWith({ reason: 'forbidden', scope: 'a' }), undefined],
  ['a long text', 429, errorWith({ retryAfterMs: 5_000, more: 'x'.repeat(5_000) }), { 'retry-after': '1' }],
])('of %s', (_, status, text, expected) => {
  expect(refusalHeaders(status, text)).toEqual(expected)
})
