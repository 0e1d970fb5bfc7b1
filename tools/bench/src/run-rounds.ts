import { type Cell, type LoadTimes, measure, type Measurement } from './cell.ts'
import { startServers } from './start-servers.ts'

/** A cell and what it came to in each round. */
export interface MeasuredCell extends Cell {
  readonly measurements: readonly Measurement[]
}

/**
 * Loads each cell once in each round, in an order that is reversed from round to round, so that no cell always comes
 * after the same one. The round before the first is for warming up, and discarded.
 */
export async function runRounds(
  cells: readonly Cell[],
  rounds: number,
  times: LoadTimes,
  tell: (progress: string) => void,
): Promise<readonly MeasuredCell[]> {
  const measured = cells.map((cell) => ({ ...cell, measurements: [] as Measurement[] }))
  const servers = await startServers(cells.map(({ subject }) => subject))
  try {
    for (let round = 0; round <= rounds; round++) {
      tell(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
      for (const cell of round % 2 === 0 ? measured : measured.toReversed()) {
        const measurement = await measure(cell, servers.of(cell.subject), times)
        if (round > 0) cell.measurements.push(measurement)
      }
    }
    return measured
  } finally {
    await servers.stop()
  }
}
