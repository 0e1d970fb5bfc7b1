import { expect, test } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'

const corp = { issuer: 'https://corp.test', clientId: 'gateway', clientSecret: 'secret' }
const read = (authServer: object) => z.safeParse(config, { authServer })

test('the defaults', () => {
  expect(read({ upstreams: { corp } }).data?.authServer.upstreams).toEqual({
    corp: { ...corp, scopes: ['email', 'profile'], claims: {}, copyClaims: ['email', 'name'], loginAgain: 86_400 },
  })
})

const key = '-----BEGIN PRIVATE KEY-----'

test.each([
  ['no proof', { issuer: corp.issuer, clientId: 'gateway' }, /either clientSecret or privateKey/],
  ['two proofs', { ...corp, privateKey: key }, /either clientSecret or privateKey/],
  ['a key id without a key', { ...corp, keyId: 'k1' }, /keyId only with privateKey/],
  ['an issuer that is no URL', { ...corp, issuer: 'corp' }, /the URL that its ID tokens have/],
  ['an issuer with the sign between issuer and person', { ...corp, issuer: 'https://corp.test/a|b' }, /the URL that/],
  ['a claim that says what a token is', { ...corp, copyClaims: ['scp'] }, /a claim of the person/],
  ['the subject', { ...corp, copyClaims: ['sub'] }, /a claim of the person/],
  ['an empty list of members', { ...corp, members: { claim: 'groups', values: [] } }, />=1/],
  ['an unknown word', { ...corp, scope: 'email' }, /Unrecognized key/],
])('%s is refused', (_what, upstream, message) => {
  expect(read({ upstreams: { corp: upstream } }).error?.message).toMatch(message)
})

test('no name of the file can be that of a person whom a provider knows', () => {
  const password = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`
  for (const name of ['https://corp.test|ada', 'HTTPS://corp.test|ada', 'http:x']) {
    expect(read({ users: { [name]: { password } } }).error?.message).toMatch(/a name that is no URL/)
  }
  const issuers = { https: { issuer: 'https://idp.test', jwksUri: 'https://idp.test/jwks' } }
  expect(read({ issuers }).error?.message).toMatch(/not \\"https\\"/)
  expect(read({ upstreams: { corp, again: corp } }).error?.message).toMatch(/one upstream for each issuer/)
})
