import { expect, it } from 'vitest'
import type { Challenge } from '../oauth/challenge.ts'
import { createMachineTokens } from './machine-tokens.ts'

function setUp(isKnown = false) {
  const asked: { challenge: Challenge; scope: string | undefined }[] = []
  const clock = { now: 0 }
  const failure: { error?: Error } = {}
  const tokens = createMachineTokens({
    isKnown,
    now: () => clock.now,
    async fetch(challenge, scope) {
      asked.push({ challenge, scope })
      await Promise.resolve()
      if (failure.error !== undefined) throw failure.error
      return { accessToken: `t${asked.length}`, refreshToken: null, expires: clock.now + 60_000, scope: null }
    },
  })
  const refused = (token: string | undefined, challenge?: string, status: 401 | 403 = 401) =>
    tokens.afterRefusal({ token, status, challenge })
  return { asked, clock, failure, tokens, refused }
}

it('sends the first request without a token, unless the authorization server is known', async () => {
  expect(setUp().tokens.current()).toBeUndefined()
  expect(await setUp(true).tokens.current()).toBe('t1')
})

it('asks once for all who wait, and keeps the token until shortly before its end', async () => {
  const { asked, clock, tokens, refused } = setUp()
  expect(await Promise.all([refused(undefined), refused(undefined), refused(undefined)])).toEqual(['t1', 't1', 't1'])
  expect(tokens.current()).toBe('t1')
  clock.now = 31_000
  expect(await Promise.all([tokens.current(), tokens.current()])).toEqual(['t2', 't2'])
  expect(asked).toHaveLength(2)
})

it('replaces a refused token once: a server may refuse every token', async () => {
  const { asked, clock, refused } = setUp()
  expect(await refused(undefined)).toBe('t1')
  expect(await Promise.all([refused('t1'), refused('t1')])).toEqual(['t2', 't2'])
  // Somebody who was refused with the old one gets the new one.
  expect(await refused('t1')).toBe('t2')
  expect(await refused('t2')).toBeUndefined()
  clock.now = 10_001
  expect(await refused('t2')).toBe('t3')
  expect(asked).toHaveLength(3)
})

it('asks for the scopes that the server wants, once each', async () => {
  const { asked, refused } = setUp()
  await refused(undefined, 'Bearer scope="a"')
  expect(await refused('t1', 'Bearer error="insufficient_scope", scope="a b"', 403)).toBe('t2')
  expect(await refused('t2', 'Bearer error="insufficient_scope", scope="a b"', 403)).toBeUndefined()
  expect(await refused('t2', 'Bearer error="insufficient_scope"', 403)).toBeUndefined()
  expect(asked.map(({ scope }) => scope)).toEqual(['a', 'a b'])
})

it('asks again after a failure', async () => {
  const { failure, tokens, refused } = setUp(true)
  failure.error = new Error('down')
  await expect(tokens.current()).rejects.toThrow('down')
  delete failure.error
  expect(await tokens.current()).toBe('t2')
  expect(await refused(undefined)).toBe('t2')
})
