import { expect, it, test } from 'vitest'
import { isFresh, tokensOf } from './tokens.ts'

const answer = { access_token: 'a.b-c_d~e+f/g==', token_type: 'bearer' as Lowercase<string> }

it('reads tokens', () => {
  expect(tokensOf({ ...answer, expires_in: 60, refresh_token: 'r', scope: 'x y' }, 1_000)).toEqual({
    accessToken: answer.access_token,
    refreshToken: 'r',
    expires: 61_000,
    scope: 'x y',
  })
  expect(tokensOf(answer, 0)).toMatchObject({ refreshToken: null, expires: null, scope: null })
})

test.each([
  { ...answer, token_type: 'mac' as Lowercase<string> },
  { ...answer, access_token: 'two\r\nlines' },
  { ...answer, access_token: '' },
  { ...answer, access_token: 'ü' },
])('refuses %j', (one) => {
  expect(() => tokensOf(one, 0)).toThrow(/issued a token/)
})

it('renews a token before its end', () => {
  const tokens = tokensOf({ ...answer, expires_in: 60 }, 0)
  expect([0, 29_999, 30_000, 90_000].map((now) => isFresh(tokens, now))).toEqual([true, true, false, false])
  expect(isFresh(tokensOf(answer, 0), Number.MAX_SAFE_INTEGER)).toBe(true)
})
