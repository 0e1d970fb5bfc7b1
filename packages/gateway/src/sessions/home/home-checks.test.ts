import { describe, expect, it } from 'vitest'
import { createHomeChecks } from './home-checks.ts'

function setUp() {
  const state = { now: 1_000, asked: [] as string[] }
  const answers: PromiseWithResolvers<void>[] = []
  const checks = createHomeChecks({
    now: () => state.now,
    homes: () => [
      { id: 'one', transport: 'http' },
      { id: 'two', transport: 'http' },
      { id: 'pipe', transport: 'stdio' },
    ],
    check(id) {
      state.asked.push(id)
      const answer = Promise.withResolvers<void>()
      answers.push(answer)
      return answer.promise
    },
  })
  return { state, checks, answers }
}

describe('the sessions of a home', () => {
  it('are served immediately while their home is connected', () => {
    const { state, checks } = setUp()
    for (let second = 0; second < 10; second += 1) {
      state.now += 1_000
      checks.sweep()
      expect(checks.checked('one')).toBeUndefined()
    }
    expect(state.asked).toEqual([])
  })

  it('are checked once after a connection loss, before anything is served', async () => {
    const { state, checks, answers } = setUp()
    state.now += 6_000
    const one = checks.checked('one')
    expect(checks.checked('one')).toBe(one)
    const two = checks.checked('two')
    answers[0]?.resolve()
    answers[1]?.resolve()
    await Promise.all([one, two])
    expect(state.asked).toEqual(['one', 'two'])
    expect(checks.checked('one')).toBeUndefined()
    expect(checks.checked('pipe')).toBeUndefined()
  })

  it('are checked although no request uses them, and again when the check failed', async () => {
    const { state, checks, answers } = setUp()
    state.now += 6_000
    checks.sweep()
    expect(state.asked).toEqual(['one', 'two'])
    answers[0]?.resolve()
    answers[1]?.reject(new Error('storage is away'))
    await expect.poll(() => (checks.sweep(), state.asked)).toEqual(['one', 'two', 'two'])
    await Promise.resolve()
  })

  it('are checked again when the connection is lost during the check', async () => {
    const { checks, answers } = setUp()
    checks.wasAway()
    const first = checks.checked('one')
    checks.wasAway()
    const second = checks.checked('one')
    expect(second).not.toBe(first)
    answers[0]?.resolve()
    await first
    expect(checks.checked('one')).toBe(second)
    answers[1]?.resolve()
    await second
    expect(checks.checked('one')).toBeUndefined()
  })
})
