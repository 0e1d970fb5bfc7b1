import { expect, test } from 'vitest'
import { readChallenge } from './challenge.ts'

const none = { resourceMetadata: undefined, scope: undefined, error: undefined }

test.each([
  [undefined, none],
  ['', none],
  ['Basic realm="x"', none],
  ['Bearer', none],
  ['Bearer scope="a b"', { ...none, scope: 'a b' }],
  [
    'bearer resource_metadata="https://a.example/x", error=invalid_token',
    {
      resourceMetadata: 'https://a.example/x',
      scope: undefined,
      error: 'invalid_token',
    },
  ],
  [
    'Basic realm="x", Bearer error="insufficient_scope", scope="c"',
    { ...none, error: 'insufficient_scope', scope: 'c' },
  ],
  ['DPoP error="use_dpop_nonce"', { ...none, error: 'use_dpop_nonce' }],
  // The first of two counts, and quoted pairs are read.
  [String.raw`Bearer scope="a\"b", scope="c"`, { ...none, scope: 'a"b' }],
  [`Bearer scope="${'x'.repeat(9000)}"`, none],
])('%j', (header, expected) => {
  expect(readChallenge(header)).toEqual(expected)
})

test.each(['a', 'a ', 'a=', 'a="', 'a="\\"', ',', ', Bearer'])(
  'a header that repeats %j costs little: servers may send one with each answer',
  (part) => {
    const header = `Bearer ${part.repeat(8_000 / part.length)}`
    // With quadratic time for each, a minute or more for all.
    for (let count = 0; count < 1_000; count += 1) expect(readChallenge(header).error).toBeUndefined()
  },
)
