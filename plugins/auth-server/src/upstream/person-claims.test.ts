import { expect, test } from 'vitest'
import { judgePerson, lacksClaims, neededClaims, joinClaims } from './person-claims.ts'

const rules = { claims: {}, copyClaims: ['email', 'name'] }

test.each([
  ['verified', { email: 'a@b.test', email_verified: true }, {}, 'a@b.test'],
  ['not verified', { email: 'a@b.test', email_verified: false }, {}, undefined],
  ['said to be verified as a text', { email: 'a@b.test', email_verified: 'true' }, {}, undefined],
  ['without a word on it', { email: 'a@b.test' }, {}, undefined],
  ['verified by userinfo', {}, { email: 'a@b.test', email_verified: true }, 'a@b.test'],
  [
    'of the ID token, another one verified',
    { email: 'a@b.test' },
    { email: 'c@d.test', email_verified: true },
    undefined,
  ],
  ['verified in the ID token, of userinfo', { email_verified: true }, { email: 'c@d.test' }, undefined],
  ['no text', { email: ['a@b.test'], email_verified: true }, {}, undefined],
])('an address that is %s', (_what, idToken, userInfo, email) => {
  expect(joinClaims(idToken, userInfo)['email']).toEqual(email)
})

test('the ID token counts more than userinfo', () => {
  expect(joinClaims({ groups: ['a'] }, { groups: ['b'], name: 'c' })).toEqual({ groups: ['a'], name: 'c' })
})

test('claims that are needed, as names and as paths', () => {
  const members = { claim: 'realm_access.roles', values: ['admin'] }
  const said = { name: 'Ada', realm_access: { roles: ['admin'] }, phone: '1' }
  expect(neededClaims(said, { ...rules, members })).toEqual({ name: 'Ada', realm_access: { roles: ['admin'] } })
  expect(lacksClaims(said, { ...rules, members })).toBe(true)
  expect(lacksClaims({ ...said, email: 'a@b.test' }, { ...rules, members })).toBe(false)
})

test('members alone get in, with the claims that are taken over', () => {
  const own = { claims: { org: 'acme' }, copyClaims: ['name', 'org'], members: { claim: 'groups', values: ['staff'] } }
  expect(judgePerson({ groups: ['staff'], name: 'Ada', org: 'evil' }, own)).toEqual({
    kind: 'member',
    claims: { name: 'Ada', org: 'acme' },
  })
  for (const kept of [{}, { groups: 'staffing' }, { groups: [] }, { groups: null }]) {
    expect(judgePerson(kept, own)).toEqual({ kind: 'not_a_member' })
  }
})
