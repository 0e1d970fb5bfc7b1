import { expect, test } from 'vitest'
import { hasScopes } from './token-scopes.ts'

test.each([
  [{ scope: 'a b' }, true],
  [{ scp: ['b', 'a'] }, true],
  [{ scp: 'a b c' }, true],
  [{ scope: 'a', scp: ['b'] }, true],
  [{ scope: 'a' }, false],
  [{ scope: 'ab' }, false],
  [{ scope: ['a', 'b'] }, true],
  [{ scope: ['a b'] }, false],
  [{ scope: ['a', null], scp: ['b', {}] }, true],
  [{ scp: null }, false],
  [{}, false],
])('%j has the scopes a and b: %s', (claims, has) => {
  expect(hasScopes(claims, ['a', 'b'])).toBe(has)
  expect(hasScopes(claims, [])).toBe(true)
})
