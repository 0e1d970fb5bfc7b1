import { expect, test } from 'vitest'
import { acceptedAge, isToCome, longestAge, recentLoginParameters } from './recent-login.ts'

test.each([
  [{}, undefined, {}],
  [{ max_age: '300' }, 300, { max_age: '300' }],
  [{ prompt: 'login' }, 0, { max_age: '0', prompt: 'login' }],
  [{ prompt: 'consent login', max_age: '300' }, 0, { max_age: '0', prompt: 'login' }],
  [{ prompt: 'consent' }, undefined, {}],
  [{ prompt: 'login2' }, undefined, {}],
])('%j', (params, maxAge, parameters) => {
  expect(acceptedAge(params)).toBe(maxAge)
  expect(recentLoginParameters(maxAge)).toEqual(parameters)
})

test('the time at the page of the provider does not count, and a clock that went back adds nothing', () => {
  const login = { maxAge: 300, begun: 1_000_000 }
  expect([1_000_000, 1_060_001, 900_000].map((now) => longestAge(login, now))).toEqual([300, 361, 300])
})

test('a provider may be half a minute ahead', () => {
  expect([1_000, 1_030, 1_031].map((authTime) => isToCome(authTime, 1_000_000))).toEqual([false, false, true])
})
