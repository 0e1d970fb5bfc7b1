import { mcpProfile } from '@junctor/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { identitiesAt } from '../caller-identities.ts'
import { principalOf } from '../principal.ts'
import { createTokenCache, type JudgeToken } from './token-cache.ts'
import type { TokenVerdict } from './token-verdict.ts'

const minute = 60_000
const caller = identitiesAt(principalOf('https://id.example.com', 'ada'), [{ name: 'default', profile: mcpProfile }])
const start = Date.parse('2026-01-01')

let clock: number
let verdict: TokenVerdict
let checks: string[]
let judge: JudgeToken

beforeEach(() => {
  clock = start
  checks = []
  verdict = { kind: 'caller', caller, expires: start + 60 * minute }
  judge = createTokenCache(
    async (token) => {
      checks.push(token)
      return verdict
    },
    () => clock,
  )
})

const judged = (token: string): TokenVerdict | Promise<TokenVerdict> => judge(token, `hash of ${token}`)
const checked = async (token: string): Promise<TokenVerdict> => judged(token)

describe('a token that was accepted', () => {
  test('is answered immediately for a minute', async () => {
    await judged('a')
    clock += minute - 1
    expect(judged('a')).toBe(verdict)
    clock += 1
    expect(judged('a')).toBeInstanceOf(Promise)
    expect(checks).toEqual(['a', 'a'])
  })

  test('is not remembered longer than it is valid', async () => {
    verdict = { kind: 'caller', caller, expires: start + minute / 2 }
    await judged('a')
    clock += minute / 2 - 1
    expect(judged('a')).toBe(verdict)
    clock += 1
    expect(judged('a')).toBeInstanceOf(Promise)
  })

  test('is checked again when the clock was set back', async () => {
    await judged('a')
    clock -= 60 * minute
    expect(judged('a')).toBeInstanceOf(Promise)
  })

  test('is not evicted by any number of invalid tokens', async () => {
    await judged('a')
    const good = verdict
    verdict = { kind: 'refused', fault: 'signature' }
    for (let index = 0; index < 20_000; index += 1) await judged(`bad ${index}`)
    expect(judged('a')).toBe(good)
  })
})

test('a token that was accepted is remembered as refused when it is refused', async () => {
  await judged('a')
  clock += minute
  verdict = { kind: 'refused', fault: 'inactive' }
  await judged('a')
  clock += 9_999
  expect(judged('a')).toBe(verdict)
  expect(checks).toEqual(['a', 'a'])
  clock += 1
  verdict = { kind: 'caller', caller, expires: start + 60 * minute }
  await judged('a')
  expect(judged('a')).toBe(verdict)
})

test('the check learns which tokens were accepted before', async () => {
  const known: boolean[] = []
  const judging = createTokenCache(
    async (_token, wasAccepted) => {
      known.push(wasAccepted)
      return verdict
    },
    () => clock,
  )
  const next = async (): Promise<void> => {
    clock += minute
    await judging('a', 'a')
  }
  await next()
  await next()
  verdict = { kind: 'no_keys', retryAfterMs: 1_000 }
  await next()
  verdict = { kind: 'refused', fault: 'inactive' }
  await next()
  await next()
  expect(known).toEqual([false, true, true, true, false])
})

test('a token in many simultaneous requests is checked once', async () => {
  const verdicts = await Promise.all(Array.from({ length: 1000 }, () => checked('a')))
  expect(new Set(verdicts)).toEqual(new Set([verdict]))
  expect(checks).toEqual(['a'])
})

test('tokens are distinguished by their hash', async () => {
  await Promise.all([checked('a'), checked('b'), judge('a', 'another hash')])
  expect(checks).toEqual(['a', 'b', 'a'])
})

test('a refused token is remembered for ten seconds', async () => {
  verdict = { kind: 'refused', fault: 'expired' }
  await judged('a')
  clock += 9_999
  expect(judged('a')).toBe(verdict)
  clock += 1
  expect(judged('a')).toBeInstanceOf(Promise)
})

test.each<TokenVerdict>([
  { kind: 'refused', fault: 'unknown_key' },
  { kind: 'refused', fault: 'ambiguous_key' },
  { kind: 'refused', fault: 'early' },
  { kind: 'no_keys', retryAfterMs: 1_000 },
])('%o is checked again the next time', async (passing) => {
  verdict = passing
  await judged('a')
  verdict = { kind: 'caller', caller, expires: start + minute }
  expect(await judged('a')).toBe(verdict)
})

test('the number of remembered tokens is limited', async () => {
  for (let index = 0; index <= 10_000; index += 1) await judged(`good ${index}`)
  expect(judged('good 10000')).toBe(verdict)
  expect(judged('good 0')).toBeInstanceOf(Promise)
})

test('an error of the check rejects all waiting callers and is not remembered', async () => {
  let broken = true
  const judging = createTokenCache(
    async () => {
      if (broken) throw new TypeError('broken')
      return verdict
    },
    () => clock,
  )
  await expect(judging('a', 'a')).rejects.toThrow('broken')
  broken = false
  expect(await judging('a', 'a')).toBe(verdict)
})
