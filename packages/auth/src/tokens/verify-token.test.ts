import { silentLog } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import { errors } from 'jose'
import { expect, test } from 'vitest'
import { createSigningKey } from '../../test/support/signing-key.ts'
import { KeysMissing } from './issuer-keys.ts'
import { createClaimsJudge } from './judge-claims.ts'
import { createMembership } from '../membership.ts'
import { createVerifier } from './verify-token.ts'

const key = createSigningKey('one')
const token = key.token({ iss: 'https://id.example.com', aud: 'gw', sub: 'ada', exp: 4_000_000_000 })
const issuer = { issuer: 'https://id.example.com', audience: ['gw'], algorithms: ['ES256'] }
const membership = createMembership(['gw'], [{ tenant: { name: 'default', profile: mcpProfile } }])

const verifierThatThrows = (thrown: unknown, where: 'keys' | 'membership' | 'nowhere', logged: unknown[] = []) =>
  createVerifier({
    issuer,
    findKey: () => {
      if (where === 'keys') throw thrown
      return key.jwk
    },
    judge: createClaimsJudge(issuer, (claims) => {
      if (where === 'membership') throw thrown
      return membership(claims)
    }),
    now: Date.now,
    log: { ...silentLog, debug: (...line) => logged.push(line) },
  })

/** Every error class of jose, and other errors that can be thrown. */
const classes: readonly [string, unknown][] = [
  ...Object.entries(errors).map(([name, JoseError]): [string, unknown] => [
    name,
    name.startsWith('JWT') && name !== 'JWTInvalid'
      ? new (JoseError as typeof errors.JWTExpired)('x', {}, 'exp')
      : new (JoseError as typeof errors.JWSInvalid)('x'),
  ]),
  ['TypeError', new TypeError('x')],
  ['RangeError', new RangeError('Maximum call stack size exceeded')],
  ['DOMException', new DOMException('x', 'TimeoutError')],
  ['an error of fetch', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })],
  ['an error that looks like an answer', Object.assign(new Error('x'), { kind: 'caller', status: 200 })],
  ['a string', 'x'],
  ['nothing', undefined],
  ['null', null],
]

test.each(classes)('%s never admits a token', async (_name, thrown) => {
  expect(await verifierThatThrows(thrown, 'keys')(token, false)).toMatchObject({ kind: 'refused' })
  expect(await verifierThatThrows(thrown, 'membership')(token, false)).toMatchObject({ kind: 'refused' })
})

test('without keys a token is not judged', async () => {
  expect(await verifierThatThrows(new KeysMissing(5_000), 'keys')(token, false)).toEqual({
    kind: 'no_keys',
    retryAfterMs: 5_000,
  })
})

test('an error that no token can cause is logged, without its cause', async () => {
  const logged: unknown[] = []
  await verifierThatThrows(new TypeError('broken', { cause: 'secret' }), 'keys', logged)(token, false)
  expect(logged).toEqual([['a token could not be verified', { reason: 'TypeError: broken' }]])
})

test('the same token is accepted when nothing throws', async () => {
  expect(await verifierThatThrows('x', 'nowhere')(token, false)).toMatchObject({ kind: 'caller', expires: 4e12 })
})
