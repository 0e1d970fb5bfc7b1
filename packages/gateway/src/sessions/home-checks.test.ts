import { describe, expect, it } from 'vitest'
import { createHomeChecks } from './home-checks.ts'
import type { HomeStanding } from './home-standing.ts'
import { homeStanding } from './home-standing.ts'

function setUp() {
  const state = { now: 1_000, ended: [] as string[], asked: [] as string[] }
  const answers: PromiseWithResolvers<HomeStanding>[] = []
  const checks = createHomeChecks({
    now: () => state.now,
    homes: () => [
      { id: 'one', transport: 'http' },
      { id: 'two', transport: 'http' },
      { id: 'pipe', transport: 'stdio' },
    ],
    standing(id) {
      state.asked.push(id)
      const answer = Promise.withResolvers<HomeStanding>()
      answers.push(answer)
      return answer.promise
    },
    end: (id) => void state.ended.push(id),
  })
  return { state, checks, answers }
}

describe('homeStanding', () => {
  it.each([
    ['the record names this node', { home: 'here' }, 'ours'],
    ['the record names another node', { home: 'there' }, 'gone'],
    ['there is no record', undefined, 'gone'],
  ] as const)('when %s', (_when, record, standing) => {
    expect(homeStanding(record, 'here')).toBe(standing)
  })
})

describe('the sessions of a home', () => {
  it('are served at once while it is there', () => {
    const { state, checks } = setUp()
    for (let second = 0; second < 10; second += 1) {
      state.now += 1_000
      checks.sweep()
      expect(checks.checked('one')).toBeUndefined()
    }
    expect(state.asked).toEqual([])
  })

  it('are looked up once after it was away, before anything is served, and end when they are gone', async () => {
    const { state, checks, answers } = setUp()
    state.now += 6_000
    const one = checks.checked('one')
    expect(checks.checked('one')).toBe(one)
    const two = checks.checked('two')
    answers[0]?.resolve('ours')
    answers[1]?.resolve('gone')
    await Promise.all([one, two])
    expect(state).toMatchObject({ asked: ['one', 'two'], ended: ['two'] })
    expect(checks.checked('one')).toBeUndefined()
    expect(checks.checked('pipe')).toBeUndefined()
  })

  it('are looked up though nobody asks for them, and again when that failed', async () => {
    const { state, checks, answers } = setUp()
    state.now += 6_000
    checks.sweep()
    expect(state.asked).toEqual(['one', 'two'])
    answers[0]?.resolve('gone')
    answers[1]?.reject(new Error('storage is away'))
    await expect.poll(() => state.ended).toEqual(['one'])
    await expect.poll(() => (checks.sweep(), state.asked)).toEqual(['one', 'two', 'two'])
    await Promise.resolve()
  })

  it('are in doubt again when it was away while they were looked up', async () => {
    const { checks, answers } = setUp()
    checks.wasAway()
    const first = checks.checked('one')
    checks.wasAway()
    const second = checks.checked('one')
    expect(second).not.toBe(first)
    answers[0]?.resolve('ours')
    await first
    expect(checks.checked('one')).toBe(second)
    answers[1]?.resolve('ours')
    await second
    expect(checks.checked('one')).toBeUndefined()
  })
})
