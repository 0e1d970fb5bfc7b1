import { describe } from 'vitest'
import { type RequirementId, requirements } from '../requirements.ts'
import { type Cell, cellName, cellsFor, type Where } from './cell.ts'
import { natsTest } from './nats-test.ts'
import type { Requirement } from './requirement.ts'

/**
 * Tests requirements: the body runs once in each cell that they apply to. For a requirement with a known failure, the
 * test must fail, so that the failure is not forgotten.
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  where: Where,
  body: (cell: Cell) => Promise<void>,
): void {
  const cited: readonly RequirementId[] = typeof ids === 'string' ? [ids] : ids
  const rows = cited.map((id): Requirement => requirements[id])
  const isKnownFailure = rows.some((row) => row.knownFailure !== undefined)
  const run = isKnownFailure ? natsTest.fails : natsTest
  describe(`${cited.join(', ')}: ${rows[0]?.behaviour ?? ''}`, () => {
    for (const [index, place] of cellsFor(where).entries()) {
      const cell: Cell = { ...place, isRepeated: index > 0 }
      if (place.nodes === 2) run(cellName(place), ({ nats }) => body({ ...cell, nats: nats.url }))
      else run(cellName(place), () => body(cell))
    }
  })
}
