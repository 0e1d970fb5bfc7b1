import { JunctorError } from '@junctor/protocol'
import type { Exchange } from '@junctor/plugin-sdk/link'
import { expect, it } from 'vitest'
import type { Grant } from './grant.ts'
import type { Grants } from './grants.ts'
import { createPersonTokens } from './person-tokens.ts'

const ada = { tenant: 't', principal: '["i","ada"]' }

const grantUntil = (accessToken: string, expires: number, scope: string | null = null): Grant => ({
  tokens: { accessToken, refreshToken: 'r', expires, scope },
  issuer: 'https://as.example',
  resource: 'https://api.example/mcp',
  scope: null,
  client: { clientId: 'c', secret: null },
  since: 1,
})

/** The tokens of a person whose grant ends at 60 s. `renewed`: the grant after it, or why there is none now. */
function setUp() {
  const clock = { now: 0 }
  const state: { renewed: Grant | undefined | Error } = { renewed: new JunctorError('BACKEND_UNREACHABLE', 'down') }
  const stored = { grant: grantUntil('old', 60_000) }
  const grants: Pick<Grants, 'read' | 'renew'> = {
    read: async () => stored.grant,
    async renew() {
      if (state.renewed instanceof Error) throw state.renewed
      return state.renewed
    },
  }
  return { clock, state, stored, tokens: createPersonTokens(ada, grants as Grants, () => clock.now) }
}

it('uses a token to its end when it cannot be renewed early', async () => {
  const { clock, state, tokens } = setUp()
  expect(await tokens.current()).toBe('old')
  // Half a minute before its end.
  clock.now = 30_000
  expect(await tokens.current()).toBe('old')
  clock.now = 59_999
  expect(await tokens.current()).toBe('old')
  expect(tokens.missing()).toBeUndefined()
  clock.now = 60_000
  await expect(tokens.current()).rejects.toThrow('down')
  state.renewed = grantUntil('new', 120_000)
  expect(await tokens.current()).toBe('new')
})

it('asks the person when the issuer is not where it was', async () => {
  const { clock, state, tokens } = setUp()
  clock.now = 60_000
  await expect(tokens.current()).rejects.toThrow('down')
  expect(tokens.missing()).toBeUndefined()
  state.renewed = new JunctorError('BACKEND_REFUSED', 'it has no metadata', { cause: 'invalid_grant' })
  await expect(tokens.current()).rejects.toThrow('no metadata')
  expect(tokens.missing()).toEqual({ scope: undefined })
})

it('does not use a token when the issuer has ended the grant', async () => {
  const { clock, state, tokens } = setUp()
  clock.now = 30_000
  state.renewed = undefined
  await expect(tokens.current()).rejects.toThrow('The person has not agreed')
  expect(tokens.missing()).toEqual({ scope: undefined })
})

it('reads the grant again when the clock was set back', async () => {
  const { clock, stored, tokens } = setUp()
  clock.now = 10_000
  expect(await tokens.current()).toBe('old')
  stored.grant = grantUntil('new', 60_000)
  clock.now = 0
  expect(await tokens.current()).toBe('new')
})

it('renews a refused token that a node with a clock ahead has renewed', async () => {
  const { state, stored, tokens } = setUp()
  stored.grant = { ...grantUntil('old', 600_000), renewed: 300_000 }
  state.renewed = grantUntil('new', 600_000)
  const refusal = { token: await tokens.current(), status: 401, challenge: undefined } as const
  expect(await tokens.afterRefusal(refusal)).toBe('new')
})

it('tells what a refused call needs for this call alone, and once', async () => {
  const { stored, tokens } = setUp()
  const [one, other] = [{}, {}] as [Exchange, Exchange]
  const challenge = 'Bearer error="insufficient_scope", scope="more"'
  const refusal = { token: await tokens.current(one), status: 403, challenge, exchange: one } as const
  expect(await tokens.afterRefusal(refusal)).toBeUndefined()
  expect([tokens.missing(other), tokens.missing()]).toEqual([undefined, undefined])
  expect([tokens.missing(one), tokens.missing(one)]).toEqual([{ scope: 'more' }, undefined])
  // The person has agreed meanwhile, at another node perhaps.
  stored.grant = grantUntil('wider', 60_000, 'more')
  expect(await tokens.afterRefusal(refusal)).toBe('wider')
  expect(tokens.missing(one)).toBeUndefined()
  // Or to something else.
  stored.grant = grantUntil('other', 60_000, 'else')
  expect(await tokens.afterRefusal(refusal)).toBeUndefined()
  expect(tokens.missing(one)).toEqual({ scope: 'else more' })
})

it('has no token of another account for a session, and says for which calls that was', async () => {
  const { clock, stored, tokens } = setUp()
  const [before, one, other] = [{}, {}, {}] as [Exchange, Exchange, Exchange]
  const of = (accessToken: string, since: number, account?: string): Grant => ({
    ...grantUntil(accessToken, 600_000),
    since,
    account,
  })
  stored.grant = of('a1', 1, 'ada')
  expect(await tokens.current(before)).toBe('a1')
  // The same account agrees to more.
  stored.grant = of('a2', 2, 'ada')
  clock.now += 3_000
  expect([await tokens.areReplaced(), await tokens.current(before)]).toEqual([false, 'a2'])
  for (const foreign of [of('b', 3, 'bob'), of('b', 3), { ...of('b', 3, 'ada'), issuer: 'https://other.example' }]) {
    stored.grant = foreign
    // oxlint-disable-next-line no-await-in-loop -- in order
    expect(await tokens.areReplaced()).toBe(true)
  }
  for (const status of [401, 403] as const) {
    const challenge = 'Bearer error="insufficient_scope", scope="more"'
    // oxlint-disable-next-line no-await-in-loop -- in order
    expect(await tokens.afterRefusal({ token: 'a2', status, challenge, exchange: one })).toBeUndefined()
  }
  await expect(tokens.current()).rejects.toThrow('not agreed')
  expect([before, one, other, undefined].map((exchange) => tokens.wereReplacedFor(exchange))).toEqual([
    false,
    true,
    false,
    true,
  ])
  // The person has nothing to do.
  expect([tokens.missing(one), tokens.missing()]).toEqual([undefined, undefined])
  // Nor is it used when the first comes back.
  stored.grant = of('a3', 4, 'ada')
  await expect(tokens.current(other)).rejects.toThrow('not agreed')
})

it('does not renew a token for another session than the one it is of, or one that was renewed just now', async () => {
  const { clock, state, stored, tokens } = setUp()
  expect(await tokens.current()).toBe('old')
  const renewed: Grant = { ...grantUntil('renewed', 600_000), renewed: 1_000 }
  clock.now = 1_000
  Object.assign(state, { renewed })
  expect(await tokens.afterRefusal({ token: 'old', status: 401, challenge: undefined })).toBe('renewed')
  stored.grant = renewed
  clock.now = 10_999
  expect(await tokens.afterRefusal({ token: 'renewed', status: 401, challenge: undefined })).toBeUndefined()
  expect(tokens.missing()).toEqual({ scope: undefined })
  clock.now = 11_000
  Object.assign(state, { renewed: grantUntil('again', 600_000) })
  expect(await tokens.afterRefusal({ token: 'renewed', status: 401, challenge: undefined })).toBe('again')
  Object.assign(state, { renewed: new Error('not asked for') })
  stored.grant = { ...grantUntil('foreign', 11_000), since: 2 }
  clock.now = 20_000
  await expect(tokens.current()).rejects.toThrow('not agreed')
})
