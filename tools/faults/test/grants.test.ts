import { untilNoDescendants } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { runGrants } from '../src/grants/run-grants.ts'

/** It starts processes one after the other, and kills some. */
const timeoutMs = 180_000

it(
  'grants in random order: no token serves another person, no call runs twice, nothing is left after the end',
  async () => {
    const report = await runGrants({ seed: 7, rounds: 9, people: 3, nodes: 2, onProgress: () => {} })
    expect(report.faults).toEqual([])
    expect(report.outages).toBe(2)
    expect(report.grants).toBeGreaterThan(3)
    expect(report.runs).toBeGreaterThan(5)
    await untilNoDescendants()
  },
  timeoutMs,
)
