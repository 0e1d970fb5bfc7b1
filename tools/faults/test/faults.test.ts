import { describe, expect, it } from 'vitest'
import { scenarios } from '../src/scenarios.ts'

// Heavy scenarios run with `pnpm faults`, on a machine without other work.
const light = scenarios.filter(({ heavy }) => heavy !== true)
const cases = light.flatMap((scenario) => scenario.ways.map((way) => ({ scenario, way })))

/** The scenarios have their own timeouts. */
const timeoutMs = 60_000

describe.each(cases)('$scenario.id over $way: $scenario.title', ({ scenario, way }) => {
  it(
    'has the promised outcome',
    async () => {
      expect(await scenario.run(way, () => undefined)).not.toBe('')
    },
    timeoutMs,
  )
})
