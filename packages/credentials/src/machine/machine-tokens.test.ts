import { JunctorError } from '@junctor/protocol'
import { expect, it } from 'vitest'
import type { Challenge } from '../oauth/challenge.ts'
import { createMachineTokens } from './machine-tokens.ts'

const invalidScope = new JunctorError('BACKEND_REFUSED', 'no', { cause: 'invalid_scope' })

function setUp(isKnown = false) {
  const asked: { challenge: Challenge; scope: string | undefined }[] = []
  const clock = { now: 0 }
  const failure: { error?: Error | undefined } = {}
  const tokens = createMachineTokens({
    isKnown,
    now: () => clock.now,
    async fetch(challenge, scope) {
      asked.push({ challenge, scope })
      const { error } = failure
      await Promise.resolve()
      if (error !== undefined) throw error
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

it('uses a token to its end when it cannot be replaced early', async () => {
  const { asked, clock, failure, tokens } = setUp(true)
  expect(await tokens.current()).toBe('t1')
  failure.error = new JunctorError('BACKEND_UNREACHABLE', 'down')
  clock.now = 30_000
  expect(await tokens.current()).toBe('t1')
  clock.now = 59_999
  expect(await tokens.current()).toBe('t1')
  expect(asked).toHaveLength(3)
  clock.now = 60_000
  await expect(async () => tokens.current()).rejects.toThrow('down')
})

it('replaces a refused token when the clock was set back since the last time', async () => {
  const { clock, refused } = setUp()
  clock.now = 3_600_000
  expect(await refused(undefined)).toBe('t1')
  expect(await refused('t1')).toBe('t2')
  clock.now = 0
  expect(await refused('t2')).toBe('t3')
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

it('asks for the scopes of each of two calls that were refused with the same token', async () => {
  const { asked, tokens, refused } = setUp(true)
  expect(await tokens.current()).toBe('t1')
  expect(await refused('t1', 'Bearer error="insufficient_scope", scope="a"', 403)).toBe('t2')
  expect(await refused('t1', 'Bearer error="insufficient_scope", scope="b"', 403)).toBe('t3')
  expect(await refused('t1', 'Bearer error="insufficient_scope", scope="a"', 403)).toBe('t3')
  expect(asked.map(({ scope }) => scope)).toEqual([undefined, 'a', 'a b'])
})

it('asks again after a failure, and not at once', async () => {
  const { asked, clock, failure, tokens, refused } = setUp(true)
  failure.error = new Error('down')
  await expect(tokens.current()).rejects.toThrow('down')
  delete failure.error
  await expect(tokens.current()).rejects.toThrow('down')
  clock.now = 1_000
  expect(await tokens.current()).toBe('t2')
  expect(await refused(undefined)).toBe('t2')
  expect(asked).toHaveLength(2)
})

it('does not ask again for seconds after the authorization server has refused', async () => {
  const { asked, clock, failure, tokens } = setUp(true)
  failure.error = invalidScope
  for (let call = 0; call < 50; call += 1) {
    clock.now = call * 100
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await expect(tokens.current()).rejects.toThrow('no')
  }
  expect(asked).toHaveLength(1)
  delete failure.error
  clock.now = 5_000
  expect(await tokens.current()).toBe('t2')
})

it('keeps a good token when the authorization server does not issue the further scopes that one tool needs', async () => {
  const { asked, clock, failure, tokens, refused } = setUp(true)
  expect(await tokens.current()).toBe('t1')
  failure.error = invalidScope
  for (const scope of ['admin', 'root', 'admin', 'root']) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await expect(refused('t1', `Bearer error="insufficient_scope", scope="${scope}"`, 403)).rejects.toThrow('no')
    expect(tokens.current()).toBe('t1')
  }
  expect(asked.map(({ scope }) => scope)).toEqual([undefined, 'admin', 'root'])
  // The next token is asked for as the last one was.
  clock.now = 31_000
  delete failure.error
  expect(await tokens.current()).toBe('t4')
  expect(asked.at(-1)?.scope).toBeUndefined()
})

it('does not give the failure of a wider token to those who need none', async () => {
  const { clock, failure, tokens, refused } = setUp(true)
  expect(await tokens.current()).toBe('t1')
  clock.now = 31_000
  failure.error = invalidScope
  const wider = refused('t1', 'Bearer error="insufficient_scope", scope="admin"', 403)
  delete failure.error
  const results = await Promise.allSettled([wider, tokens.current()])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

it('asks for the scopes of all tools together, so that calls of two of them do not take turns', async () => {
  const { asked, refused } = setUp(true)
  await refused('t0', 'Bearer scope="a"', 403)
  await refused('t1', 'Bearer scope="b"', 403)
  expect(await refused('t2', 'Bearer scope="a"', 403)).toBeUndefined()
  // All of them together would be too long.
  const long = 'c'.repeat(4_095)
  await refused('t2', `Bearer scope="${long}"`, 403)
  expect(asked.map(({ scope }) => scope)).toEqual(['a', 'a b', long])
})
