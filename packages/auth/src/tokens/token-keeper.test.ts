import { type Identity, openCallerToken, type Seal } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { principalOf } from '../principal.ts'
import { createTokenKeeper } from './token-keeper.ts'

const seal: Seal = {
  close: (place, data) => Buffer.concat([Buffer.from(`${place}\n`), data]),
  open(place, sealed) {
    const head = Buffer.from(`${place}\n`)
    return head.equals(Buffer.from(sealed.subarray(0, head.length))) ? sealed.subarray(head.length) : undefined
  },
}

const tenant = (name: string) => ({ name, profile: mcpProfile })
const access = [{ tenant: tenant('takes'), takesCallerTokens: true }, { tenant: tenant('takes-none') }]
const identityAt = (name: string): Identity => ({
  kind: 'identity',
  principal: principalOf('https://issuer.example', 'ada'),
  tenant: tenant(name),
  expires: 130_000,
})
const shown = (token: string) => ({ token, hash: `hash of ${token}`, isProven: false })
const owner = { tenant: 'takes', principal: identityAt('takes').principal.key }

it('keeps the token of a caller where a backend takes it, for its owner, until it expires', () => {
  const keep = createTokenKeeper(access, seal)
  const kept = keep(identityAt('takes'), shown('abc'))
  // Clocks may differ by half a minute: the token itself ends before the identity.
  expect(openCallerToken(seal, owner, kept.callerToken ?? '')).toEqual({ token: 'abc', expires: 100_000 })
  const plain = identityAt('takes-none')
  expect(keep(plain, shown('abc'))).toBe(plain)
  expect(createTokenKeeper(access, undefined)(identityAt('takes'), shown('abc')).callerToken).toBeUndefined()
})

it('seals a token once for an identity, and never gives the token of another request', () => {
  const keep = createTokenKeeper(access, seal)
  const identity = identityAt('takes')
  const first = keep(identity, shown('abc'))
  expect(keep(identity, shown('abc'))).toBe(first)
  const second = keep(identity, shown('def'))
  expect(openCallerToken(seal, owner, second.callerToken ?? '')?.token).toBe('def')
})
