import { expect, test } from 'vitest'
import { isMember } from './members.ts'

const admins = { claim: 'roles', values: ['admin', 'owner'] }

test.each([[{ roles: 'admin' }], [{ roles: ['guest', 'owner'] }]])('%o is a member', (claims) => {
  expect(isMember(claims, admins)).toBe(true)
})

test.each([
  [{}],
  [{ roles: null }],
  [{ roles: 'administrator' }],
  [{ roles: [['admin']] }],
  [{ roles: { admin: true } }],
])('%o is none', (claims) => {
  expect(isMember(claims, admins)).toBe(false)
})
