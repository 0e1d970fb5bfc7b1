import type { CallerToken, TokenOwner } from '@junctor/contracts'
import type { Exchange } from '@junctor/plugin-sdk/link'
import { JunctorError } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { createExchanges } from './exchanged-tokens.ts'

const ada = { tenant: 'a', principal: 'ada' }
const bob = { tenant: 'a', principal: 'bob' }

/** Sealed tokens are JSON here: the owner, the token and its end. */
const sealed = (owner: TokenOwner, token: string, expires: number | null = 1_000_000): string =>
  JSON.stringify([owner, token, expires])

/** A call of a caller with this token. */
const callOf = (callerToken: string): Exchange => ({ context: { callerToken } }) as unknown as Exchange

function open(owner: TokenOwner, text: string): CallerToken | undefined {
  const [of, token, expires] = JSON.parse(text) as [TokenOwner, string, number | null]
  return of.tenant === owner.tenant && of.principal === owner.principal ? { token, expires } : undefined
}

function setUp({ lifeMs = 600_000 }: { readonly lifeMs?: number | null } = {}) {
  const clock = { now: 0 }
  const asked: string[] = []
  const failure: { error?: Error } = {}
  const exchanges = createExchanges({
    open,
    now: () => clock.now,
    async obtain(token) {
      asked.push(token)
      await Promise.resolve()
      if (failure.error !== undefined) throw failure.error
      const expires = lifeMs === null ? null : clock.now + lifeMs
      return { accessToken: `${token}-${asked.length}`, refreshToken: null, expires, scope: null }
    },
  })
  return { clock, asked, failure, exchanges }
}

it('exchanges a token once for all links of its owner, and never for another one', async () => {
  const { asked, exchanges } = setUp()
  const first = sealed(ada, 'x')
  const [one, two] = [exchanges.tokens(ada, first), exchanges.tokens(ada, first)]
  expect(await Promise.all([one.current(), two.current(), one.current(callOf(first))])).toEqual(['x-1', 'x-1', 'x-1'])
  // The same text of another owner, as it comes from an attacker.
  const other = exchanges.tokens(bob, first)
  expect(await other.missing(undefined)).toEqual({ kind: 'none' })
  await expect(other.current()).rejects.toThrow('no token of the caller')
  await expect(other.current(callOf(first))).rejects.toThrow('no token of the caller')
  expect(asked).toEqual(['x'])
  // Another owner with the same token has an exchange of its own.
  expect(await exchanges.tokens(bob, sealed(bob, 'x')).current()).toBe('x-2')
})

it.each([600_000_000, null])('uses what it got no longer than the token of the caller lives', async (lifeMs) => {
  const { clock, asked, exchanges } = setUp({ lifeMs })
  const tokens = exchanges.tokens(ada, sealed(ada, 'x', 50_000))
  expect(await tokens.current()).toBe('x-1')
  clock.now = 49_999
  expect([await tokens.missing(undefined), await tokens.current()]).toEqual([undefined, 'x-1'])
  clock.now = 50_000
  expect(await tokens.missing(undefined)).toEqual({ kind: 'expired' })
  await expect(tokens.current()).rejects.toThrow('expired')
  await expect(
    tokens.afterRefusal({ token: 'x-1', status: 401, challenge: undefined, exchange: undefined }),
  ).rejects.toThrow('expired')
  expect(asked).toEqual(['x'])
})

it('uses the token of each request, and for its own requests the one that lasts longest', async () => {
  const { exchanges, clock } = setUp()
  const tokens = exchanges.tokens(ada, undefined)
  expect(await tokens.missing(undefined)).toEqual({ kind: 'none' })
  tokens.present(sealed(ada, 'x', 60_000))
  tokens.present(sealed(ada, 'old', 30_000))
  tokens.present(sealed(bob, 'foreign', null))
  expect(await tokens.current()).toBe('x-1')
  expect(await tokens.current(callOf(sealed(ada, 'old', 30_000)))).toBe('old-2')
  tokens.present(sealed(ada, 'y', 90_000))
  expect(await tokens.current()).toBe('y-3')
  clock.now = 30_000
  expect(await tokens.missing(sealed(ada, 'old', 30_000))).toEqual({ kind: 'expired' })
  expect(await tokens.missing(undefined)).toBeUndefined()
})

it('tells what the authorization server refuses from what it cannot do', async () => {
  const { clock, failure, exchanges } = setUp()
  const tokens = exchanges.tokens(ada, sealed(ada, 'x'))
  failure.error = new JunctorError('BACKEND_REFUSED', 'no', { cause: 'access_denied' })
  expect(await tokens.missing(undefined)).toEqual({ kind: 'refused', error: 'access_denied' })
  failure.error = new JunctorError('BACKEND_REFUSED', 'no', { cause: 'invalid_client' })
  clock.now += 5_000
  expect(await tokens.missing(undefined)).toMatchObject({ kind: 'unavailable' })
  failure.error = new JunctorError('BACKEND_UNREACHABLE', 'down')
  clock.now += 5_000
  expect(await tokens.missing(undefined)).toMatchObject({ kind: 'unavailable' })
  delete failure.error
  clock.now += 1_000
  expect(await tokens.missing(undefined)).toBeUndefined()
})

it('remembers a refusal for one owner, token and tenant alone', async () => {
  const { asked, failure, exchanges } = setUp()
  failure.error = new JunctorError('BACKEND_REFUSED', 'no', { cause: 'access_denied' })
  const refused = { kind: 'refused', error: 'access_denied' }
  const [one, two] = [exchanges.tokens(ada, sealed(ada, 'x')), exchanges.tokens(ada, sealed(ada, 'x'))]
  const flood = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : two).missing(undefined))
  expect(new Set((await Promise.all(flood)).map((missing) => JSON.stringify(missing)))).toEqual(
    new Set([JSON.stringify(refused)]),
  )
  for (const link of [one, two]) {
    // oxlint-disable-next-line no-await-in-loop -- a call after the refusal
    expect(await link.missing(undefined)).toEqual(refused)
  }
  expect(asked).toEqual(['x'])
  delete failure.error
  // The same text at another tenant, of another person, and another token of the same person.
  const elsewhere = { ...ada, tenant: 'b' }
  expect(await exchanges.tokens(elsewhere, sealed(elsewhere, 'x')).current()).toBe('x-2')
  expect(await exchanges.tokens(bob, sealed(bob, 'x')).current()).toBe('x-3')
  expect(await one.current(callOf(sealed(ada, 'y')))).toBe('y-4')
  expect(await one.missing(undefined)).toEqual(refused)
})

it('exchanges once more after a refusal', async () => {
  const { asked, exchanges } = setUp()
  const first = sealed(ada, 'x')
  const tokens = exchanges.tokens(ada, first)
  const token = await tokens.current(callOf(first))
  expect(await tokens.afterRefusal({ token, status: 401, challenge: undefined, exchange: callOf(first) })).toBe('x-2')
  expect(
    await tokens.afterRefusal({ token: 'x-2', status: 401, challenge: undefined, exchange: callOf(first) }),
  ).toBeUndefined()
  expect(asked).toEqual(['x', 'x'])
})
