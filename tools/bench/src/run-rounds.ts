import { type Cell, type LoadTimes, measure, type Measurement } from './cell.ts'
import { startServers } from './start-servers.ts'

/** A cell and what it came to in each round. */
export interface MeasuredCell extends Cell {
  readonly measurements: readonly Measurement[]
}

/**
 * Rounds that are discarded, because what is compiled as it runs is slow at first. On two processors, which the compiler
 * shares with four processes under load, a gateway takes that long: 167, 116 and 96 microseconds a call, and then 77.
 */
const warmUpRounds = 3

/**
 * Loads each cell once in each round, in an order that is reversed from round to round, so that no cell always comes
 * after the same one. The rounds before the first are for warming up, and discarded.
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
    for (let round = 1 - warmUpRounds; round <= rounds; round++) {
      tell(round > 0 ? `round ${round} of ${rounds}` : `warming up, ${round + warmUpRounds} of ${warmUpRounds}`)
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
