import { expect, test } from 'vitest'
import { claimAt } from './claim-at.ts'

const claims = {
  org: 'acme',
  'https://example.com/org': 'named by a URL',
  realm_access: { roles: ['admin'] },
  'a.b': 'a name',
  a: { b: 'a path', c: { d: 1 } },
  none: null,
}

test.each([
  ['org', 'acme'],
  ['https://example.com/org', 'named by a URL'],
  ['realm_access.roles', ['admin']],
  ['a.b', 'a name'],
  ['a.c.d', 1],
  ['none', null],
])('%s is a claim', (name, value) => {
  expect(claimAt(claims, name)).toEqual(value)
})

test.each([
  'missing',
  'org.acme',
  'org.length',
  'a.b.length',
  'none.x',
  'a.',
  '.a',
  '',
  'constructor',
  '__proto__',
  'a.__proto__',
  'a.constructor.name',
  'realm_access.roles.length.x',
])('%o is not a claim', (name) => {
  expect(claimAt(claims, name)).toBeUndefined()
})
