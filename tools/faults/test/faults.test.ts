import { describe, expect, it } from 'vitest'
import { scenarios } from '../src/scenarios.ts'

// What is heavy runs with `pnpm faults`, on a machine that has nothing else to do.
const light = scenarios.filter(({ heavy }) => heavy !== true)
const cases = light.flatMap((scenario) => scenario.ways.map((way) => ({ scenario, way })))

/** The scenarios have deadlines of their own. */
const patienceMs = 60_000

describe.each(cases)('$scenario.id over $way: $scenario.title', ({ scenario, way }) => {
  it(
    'has the outcome that is promised',
    async () => {
      expect(await scenario.run(way, () => undefined)).not.toBe('')
    },
    patienceMs,
  )
})
