import { expect, it } from 'vitest'
import { judgeIdJag } from './judge-id-jag.ts'

const audience = 'https://login.example.com'

function jwt(header: unknown, claims: unknown): string {
  const [first, second] = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return `${first}.${second}.c2lnbmF0dXJl`
}

const right = { alg: 'ES256', typ: 'oauth-id-jag+jwt' }

it('takes an identity assertion for this authorization server alone', () => {
  expect(judgeIdJag(jwt(right, { aud: audience }), audience)).toBeUndefined()
})

it.each([
  ['opaque', 'a token that is no JWT'],
  ['', 'a token that is no JWT'],
  ['x.y.z', 'a token that is no JWT'],
  [jwt(right, null), 'a token that is no JWT'],
  [jwt(null, { aud: audience }), 'a token that is no JWT'],
  [jwt({ alg: 'ES256' }, { aud: audience }), 'a JWT that is not of the type oauth-id-jag+jwt'],
  [jwt({ alg: 'ES256', typ: 'at+jwt' }, { aud: audience }), 'a JWT that is not of the type oauth-id-jag+jwt'],
  [
    jwt({ alg: 'ES256', typ: ['oauth-id-jag+jwt'] }, { aud: audience }),
    'a JWT that is not of the type oauth-id-jag+jwt',
  ],
  [jwt(right, {}), 'an identity assertion for another authorization server'],
  [jwt(right, { aud: null }), 'an identity assertion for another authorization server'],
  [jwt(right, { aud: 'https://evil.example' }), 'an identity assertion for another authorization server'],
  [jwt(right, { aud: [audience, 'https://evil.example'] }), 'an identity assertion for another authorization server'],
])('refuses %s', (token, problem) => {
  expect(judgeIdJag(token, audience)).toBe(problem)
})
