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
