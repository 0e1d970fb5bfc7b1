import { mcpProfile } from '@junctor/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { callerAt } from './caller.ts'
import { principalOf } from './principal.ts'
import { createTokenCache, type JudgeToken } from './token-cache.ts'
import type { TokenVerdict } from './verify-token.ts'

const minute = 60_000
const caller = callerAt(principalOf('https://id.example.com', 'ada'), [{ name: 'default', profile: mcpProfile }])
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
  test('is known at once, for a minute', async () => {
    await judged('a')
    clock += minute - 1
    expect(judged('a')).toBe(verdict)
    clock += 1
    expect(judged('a')).toBeInstanceOf(Promise)
    expect(checks).toEqual(['a', 'a'])
  })

  test('is not known longer than it is valid', async () => {
    verdict = { kind: 'caller', caller, expires: start + minute / 2 }
    await judged('a')
    clock += minute / 2 - 1
    expect(judged('a')).toBe(verdict)
    clock += 1
    expect(judged('a')).toBeInstanceOf(Promise)
  })

  test('is not pushed out by any number of bad ones', async () => {
    await judged('a')
    const good = verdict
    verdict = { kind: 'refused', fault: 'signature' }
    for (let index = 0; index < 20_000; index += 1) await judged(`bad ${index}`)
    expect(judged('a')).toBe(good)
  })
})

test('a token that many bring at once is checked once', async () => {
  const verdicts = await Promise.all(Array.from({ length: 1000 }, () => checked('a')))
  expect(new Set(verdicts)).toEqual(new Set([verdict]))
  expect(checks).toEqual(['a'])
})

test('tokens are told apart by their hash', async () => {
  await Promise.all([checked('a'), checked('b'), judge('a', 'another hash')])
  expect(checks).toEqual(['a', 'b', 'a'])
})

test('a token that was refused is known for ten seconds', async () => {
  verdict = { kind: 'refused', fault: 'expired' }
  await judged('a')
  clock += 9_999
  expect(judged('a')).toBe(verdict)
  clock += 1
  expect(judged('a')).toBeInstanceOf(Promise)
})

test.each<TokenVerdict>([
  { kind: 'refused', fault: 'unknown_key' },
  { kind: 'refused', fault: 'early' },
  { kind: 'no_keys', retryAfterMs: 1_000 },
])('%o may be another one the next time', async (passing) => {
  verdict = passing
  await judged('a')
  verdict = { kind: 'caller', caller, expires: start + minute }
  expect(await judged('a')).toBe(verdict)
})

test('a bounded number of tokens is remembered', async () => {
  for (let index = 0; index <= 10_000; index += 1) await judged(`good ${index}`)
  expect(judged('good 10000')).toBe(verdict)
  expect(judged('good 0')).toBeInstanceOf(Promise)
})

test('what throws in the check keeps nobody waiting and is forgotten', async () => {
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
