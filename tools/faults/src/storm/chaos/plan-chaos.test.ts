import { expect, it } from 'vitest'
import { createRandom } from '../../soak/random.ts'
import { planChaos } from './plan-chaos.ts'

const counts = { gateway: 3, worker: 2, nats: 3 }
const plan = (seed: number) => planChaos({ seconds: 120, counts, random: createRandom(seed) })

it('kills the roles in turn, never the same target twice in a row, and leaves calm at both ends', () => {
  const strikes = plan(1)
  expect(strikes.length).toBeGreaterThan(15)
  strikes.forEach(({ target, at }, index) => {
    expect(target.role).toBe(['gateway', 'worker', 'nats'][index % 3])
    expect(at).toBeGreaterThanOrEqual(12_000)
    expect(at).toBeLessThan(108_000)
    expect(target).not.toEqual(strikes[index + 3]?.target)
  })
})

it('is the same for the same seed, and different for another', () => {
  expect(plan(7)).toEqual(plan(7))
  expect(plan(7)).not.toEqual(plan(8))
})

it('skips roles without a member', () => {
  const strikes = planChaos({ seconds: 60, counts: { gateway: 1, worker: 0, nats: 0 }, random: createRandom(1) })
  expect(new Set(strikes.map(({ target }) => `${target.role} ${target.index}`))).toEqual(new Set(['gateway 0']))
})
