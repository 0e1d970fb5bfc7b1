import { describe, expect, it } from 'vitest'
import { scenarios } from '../src/scenarios.ts'

// `pnpm faults` runs them all in all ways, and the heavy ones, on a machine without other work.
const light = scenarios.filter(({ heavy }) => heavy !== true)
/** Each in one of its ways, in turn. */
const cases = light.map((scenario, index) => ({ scenario, way: scenario.ways[index % scenario.ways.length] ?? 'http' }))

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
