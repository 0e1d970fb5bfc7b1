import { type Cell, type LoadTimes, measure, type Measurement } from './cell.ts'
import { startServers } from './start-servers.ts'

/** A cell and its measurements, by round. */
export interface MeasuredCell extends Cell {
  readonly measurements: readonly Measurement[]
}

/** How often a cell is loaded, and how long. */
export interface Rounds extends LoadTimes {
  readonly rounds: number
  /** The rounds before them, which are discarded. */
  readonly warmUps: number
}

/**
 * Loads each cell once in each round, in an order that is reversed from round to round, so that no cell always follows
 * the same one. The warm-up rounds come first, and are discarded.
 */
export async function runRounds(
  cells: readonly Cell[],
  { rounds, warmUps, ...times }: Rounds,
  onProgress: (progress: string) => void,
): Promise<readonly MeasuredCell[]> {
  const measured = cells.map((cell) => ({ ...cell, measurements: [] as Measurement[] }))
  const servers = await startServers(cells.map(({ subject }) => subject))
  try {
    for (let round = 1 - warmUps; round <= rounds; round++) {
      onProgress(round > 0 ? `round ${round} of ${rounds}` : `warming up, ${round + warmUps} of ${warmUps}`)
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
