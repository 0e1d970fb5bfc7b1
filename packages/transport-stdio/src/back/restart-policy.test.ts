import { describe, expect, test } from 'vitest'
import {
  createRestartPolicy,
  neverStarted,
  nextRestart,
  type RestartPhase,
  type RestartState,
} from './restart-policy.ts'

/** The state after so many ends, each after so long a life. */
function afterEnds(count: number, livedMs: number, random = 0): RestartState {
  let state = neverStarted
  let now = 0
  for (let end = 0; end < count; end += 1) {
    state = nextRestart(state, { kind: 'started' }, now)
    now += livedMs
    state = nextRestart(state, { kind: 'exited', random }, now)
  }
  return { ...state, notBefore: state.notBefore - now }
}

describe('the pause after a quick end', () => {
  test.each([
    [1, 500, 'waiting'],
    [2, 1_000, 'waiting'],
    [3, 2_000, 'waiting'],
    [4, 4_000, 'waiting'],
    [5, 30_000, 'crash_looping'],
    [50, 30_000, 'crash_looping'],
  ])('number %i is %i ms, and the phase is %s', (count, notBefore, phase) => {
    expect(afterEnds(count, 10)).toMatchObject({ failures: count, notBefore, phase })
  })

  test('is up to half as long, by chance', () => {
    expect(afterEnds(1, 10, 0.5).notBefore).toBe(375)
    expect(afterEnds(1, 10, 0.999).notBefore).toBeCloseTo(250, -1)
  })

  test('is short again after a healthy life', () => {
    expect(afterEnds(10, 60_000)).toMatchObject({ failures: 1, notBefore: 500, phase: 'waiting' })
    expect(afterEnds(10, 59_999)).toMatchObject({ failures: 10, phase: 'crash_looping' })
  })

  test('grows also when nothing could be started', () => {
    const once = nextRestart(neverStarted, { kind: 'exited', random: 0 }, 0)
    expect(nextRestart(once, { kind: 'exited', random: 0 }, 500)).toMatchObject({ failures: 2, notBefore: 1_500 })
  })
})

describe('a policy', () => {
  test('tells its changes of phase, and when the next start is allowed', () => {
    let now = 1_000
    const phases: RestartPhase[] = []
    const policy = createRestartPolicy({ now: () => now, random: () => 0, onPhase: (phase) => phases.push(phase) })
    expect(policy.allowedAt()).toBeLessThan(now)
    for (let count = 0; count < 6; count += 1) {
      policy.started()
      policy.exited()
      now = policy.allowedAt()
    }
    policy.started()
    policy.close()
    const waits = ['running', 'waiting']
    const loops = ['running', 'crash_looping']
    expect(phases).toEqual([waits, waits, waits, waits, loops, loops, 'running', 'closed'].flat())
  })

  test('that is closed allows no start, whatever it is told', () => {
    const policy = createRestartPolicy({ now: () => 0, random: () => 0 })
    policy.close()
    policy.exited()
    policy.started()
    expect(policy.phase).toBe('closed')
    expect(policy.allowedAt()).toBe(Infinity)
  })
})
