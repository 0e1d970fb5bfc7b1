import { expect, test } from 'vitest'
import { bearerToken } from './bearer-token.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER   a-b._~+/c==', 'a-b._~+/c=='],
])('%s contains the token %s', (header, token) => {
  expect(bearerToken(header)).toBe(token)
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
])('%o contains no bearer token', (header) => {
  expect(bearerToken(header)).toBeUndefined()
})
