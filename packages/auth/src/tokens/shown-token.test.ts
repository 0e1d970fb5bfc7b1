import { expect, test } from 'vitest'
import { shownToken } from './shown-token.ts'

test.each([
  ['Bearer abc', 'abc', false],
  ['bearer abc', 'abc', false],
  ['BEARER   a-b._~+/c==', 'a-b._~+/c==', false],
  ['DPoP abc', 'abc', true],
  ['dpop abc', 'abc', true],
])('%s contains the token %s', (header, token, isProven) => {
  expect(shownToken(header)).toEqual({ token, isProven })
})

test.each([
  undefined,
  '',
  'abc',
  'Bearer',
  'Bearer ',
  'Bearerabc',
  ' Bearer abc',
  'Bearer abc ',
  'Bearer a b',
  'Bearer a,b',
  'Bearer a=b',
  'Bearer "abc"',
  'Bearer abc\n',
  'Basic YTpi',
  'Bearer ключ',
  `Bearer ${'a'.repeat(8200)}`,
])('%o contains no token', (header) => {
  expect(shownToken(header)).toBeUndefined()
})
