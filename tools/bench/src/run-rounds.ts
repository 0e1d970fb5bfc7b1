import { type Cell, type LoadTimes, measure, type Measurement } from './cell.ts'
import { encodeLine, openOwnSession } from './load/sessions.ts'
import { openStdioLanes } from './load/stdio-lanes.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { type Subject, subjectNamed } from './subjects.ts'

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
        const measurement = await measure(cell, serverOf(servers, cell.subject), times)
        if (round > 0) cell.measurements.push(measurement)
      }
    }
    return measured
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
}

/** Starts the subjects, and what runs behind them. */
async function startServers(subjects: readonly Subject[]): Promise<ReadonlyMap<string, ServerProcess>> {
  const servers = new Map<string, ServerProcess>()
  const start = async (subject: Subject): Promise<number | undefined> => {
    const port = subject.behind === undefined ? undefined : await start(subjectNamed(subject.behind))
    const started = servers.get(subject.name)
    if (started !== undefined) return started.port
    const server = await startServer(subject.program(port))
    servers.set(subject.name, server)
    if (subject.wire === 'stdio') await openOnlySession(server)
    return server.port
  }
  for (const subject of subjects) await start(subject)
  return servers
}

async function openOnlySession(server: ServerProcess): Promise<void> {
  const [lane] = openStdioLanes(server, 1, 1)
  if (lane === undefined) return
  await openOwnSession(lane, encodeLine)
  lane.close()
}

function serverOf(servers: ReadonlyMap<string, ServerProcess>, { name }: Subject): ServerProcess {
  const server = servers.get(name)
  if (server === undefined) throw new Error(`the server ${name} was not started`)
  return server
}
