import type { Challenge, Identity } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Authenticator, createAuthenticator, type TenantAccess } from '../src/index.ts'
import { bearing } from './support/head.ts'
import { createSigningKey } from './support/signing-key.ts'
import { startTestIssuer, type TestIssuer } from './support/test-issuer.ts'

const gateway = 'https://gw.example.com/mcp'
const other = 'https://gw.example.com'
const key = createSigningKey('one')
let issuer: TestIssuer

const tenantNamed = (name: string, members?: TenantAccess['members']): TenantAccess => ({
  tenant: { name, profile: mcpProfile },
  members,
})

const closed = [
  tenantNamed('default'),
  tenantNamed('private'),
  tenantNamed('acme', { claim: 'org', values: ['acme', 'acme-subsidiary'] }),
  tenantNamed('admins', { claim: 'realm_access.roles', values: ['admin'] }),
  // The dedicated audience of this tenant at the second audience is the first audience itself.
  tenantNamed('mcp', { claim: 'org', values: ['unused'] }),
]

const opens = async (authenticator: Authenticator, token: string): Promise<readonly string[] | number> => {
  const names = ['default', 'private', 'acme', 'admins', 'mcp', 'ghost', '__proto__']
  const answers = await Promise.all(names.map(async (name) => authenticator.authenticate(bearing(token, name))))
  const statuses = new Set(answers.flatMap((answer) => (answer.kind === 'challenge' ? [answer.status] : [])))
  if (statuses.has(401)) return 401
  // A tenant that exists and one that does not exist get the same answer.
  const refusals = answers.filter((answer): answer is Challenge => answer.kind === 'challenge')
  expect(new Set(refusals.map((refusal) => JSON.stringify([refusal, refusal.error.data?.value()]))).size).toBe(1)
  expect(statuses).toEqual(new Set([404]))
  return answers
    .filter((answer): answer is Identity => answer.kind === 'identity')
    .map(({ tenant, principal }) => {
      expect(principal.subject).toBe('ada')
      return tenant.name
    })
}

const tokenWith = (claims: object): string =>
  key.token({ iss: issuer.issuer, aud: gateway, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 300, ...claims })

const authenticatorFor = (tenants: readonly TenantAccess[]): Authenticator =>
  createAuthenticator({
    tenants,
    issuer: { issuer: issuer.issuer, audience: [gateway, other], algorithms: ['ES256'] },
  })

beforeAll(async () => {
  issuer = await startTestIssuer()
  issuer.keys = [key.jwk]
})
afterAll(() => issuer.close())

describe('the tenants that a token opens', () => {
  test.each<[string, object, readonly string[] | number]>([
    ['for the gateway', {}, ['default']],
    ['for the gateway, a member', { org: 'acme' }, ['default', 'acme']],
    ['for the gateway, another value', { org: 'acme-subsidiary' }, ['default', 'acme']],
    ['for the gateway, in a list', { org: ['x', 'acme'] }, ['default', 'acme']],
    ['for the gateway, at a path', { realm_access: { roles: ['user', 'admin'] } }, ['default', 'admins']],
    ['at a name with a dot', { 'realm_access.roles': 'admin' }, ['default', 'admins']],
    ['a name with a dot hides the path', { 'realm_access.roles': '', realm_access: { roles: ['admin'] } }, ['default']],
    ['a member of two', { org: 'acme', realm_access: { roles: 'admin' } }, ['default', 'acme', 'admins']],
    ['part of a value', { org: 'acm' }, ['default']],
    ['a value in words', { org: 'acme other' }, ['default']],
    ['a value in another case', { org: 'ACME' }, ['default']],
    ['a value in a list in a list', { org: [['acme']] }, ['default']],
    ['a value that is a member', { org: { acme: true } }, ['default']],
    ['everything', { org: true }, ['default']],
    ['for one tenant without members', { aud: `${gateway}/private` }, ['private']],
    ['for one tenant whose member it is not', { aud: `${gateway}/acme` }, ['acme']],
    ['for one tenant, a member of others', { aud: `${gateway}/private`, org: 'acme' }, ['private']],
    ['for one tenant and for the gateway', { aud: [gateway, `${gateway}/private`], org: 'acme' }, ['private']],
    ['for two tenants', { aud: [`${gateway}/private`, `${gateway}/acme`] }, ['private', 'acme']],
    ['for the default tenant', { aud: `${gateway}/default`, org: 'acme' }, ['default']],
    ['for one tenant at the other audience', { aud: `${other}/private` }, ['private']],
    ['for the gateway, which reads like a tenant', { aud: `${other}/mcp` }, ['default']],
    ['for a tenant that is not there', { aud: `${gateway}/ghost` }, 401],
    ['for a tenant in another case', { aud: `${gateway}/Private` }, 401],
    ['for what is below a tenant', { aud: `${gateway}/private/x` }, 401],
    ['for a tenant alone', { aud: 'private' }, 401],
    ['for another gateway', { aud: 'https://other.example.com/mcp/private', org: 'acme' }, 401],
  ])('%s', async (_name, claims, expected) => {
    expect(await opens(authenticatorFor(closed), tokenWith(claims))).toEqual(expected)
  })

  test('the default tenant can have members too', async () => {
    const tenants = [tenantNamed('default', { claim: 'org', values: ['acme'] }), tenantNamed('private')]
    expect(await opens(authenticatorFor(tenants), tokenWith({ org: 'acme' }))).toEqual(['default'])
    expect(await opens(authenticatorFor(tenants), tokenWith({ org: 'other' }))).toEqual([])
    expect(await opens(authenticatorFor(tenants), tokenWith({ aud: `${gateway}/default` }))).toEqual(['default'])
  })
})

test('a bearer is the same with every token, and a program is never a person', async () => {
  const authenticator = authenticatorFor(closed)
  const keyOf = async (claims: object): Promise<string> =>
    ((await authenticator.authenticate(bearing(tokenWith(claims)))) as Identity).principal.key
  expect(await keyOf({ jti: '1' })).toBe(await keyOf({ jti: '2', client_id: 'app' }))
  const keys = [{}, { sub: 'bob' }, { sub: undefined, client_id: 'ada' }, { sub: undefined, azp: 'app' }]
  expect(new Set(await Promise.all(keys.map(keyOf))).size).toBe(4)
  expect(await keyOf({ sub: undefined, azp: 'app' })).toBe(await keyOf({ sub: undefined, client_id: 'app', azp: 'x' }))
})
