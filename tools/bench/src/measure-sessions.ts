import { judge, type RowResult } from './compare.ts'
import { openHttpLanes } from './load/http-lane.ts'
import type { Lane } from './load/lane.ts'
import { type Endpoint, openHttpSessions } from './load/sessions.ts'
import type { SessionRow } from './rows.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { spread } from './statistics.ts'
import { subjectNamed } from './subjects.ts'

/** How many connections the sessions are opened on. */
const connections = 16

/** How many sessions are opened before opening them is timed. */
const warmUpSessions = 500

/** A server, and connections to it. */
interface Opened {
  readonly server: ServerProcess
  readonly lanes: readonly Lane[]
  readonly endpoint: Endpoint
}

/** Opens many sessions on a new server, and measures their cost. */
export async function measureSessions(row: SessionRow, rounds: number, most: number): Promise<RowResult> {
  const { name, title, bar, value: measured } = row
  const subject = subjectNamed('junctor-local')
  const server = await startServer({ ...subject.program(undefined), nodeOptions: ['--expose-gc'] })
  const { port = 0 } = server
  const endpoint = { path: '/mcp', ...subject.address, port }
  const lanes = await openHttpLanes(port, connections)
  try {
    const sessions = Math.min(row.sessions, most)
    const values =
      measured === 'memory'
        ? [await memoryOfSessions({ server, lanes, endpoint }, sessions)]
        : await timesToOpen({ server, lanes, endpoint }, sessions, rounds)
    const value = spread(values)
    return { name, title, baseline: undefined, value, bar, verdict: judge(value.median, bar) }
  } finally {
    for (const lane of lanes) lane.close()
    await server.stop()
  }
}

/**
 * Kilobytes that each session keeps in the process after garbage collection. The first sessions count too, with
 * one-time allocations: memory that a warm-up has freed would hide the cost of sessions.
 */
async function memoryOfSessions({ server, lanes, endpoint }: Opened, sessions: number): Promise<number> {
  const before = await server.resources('collect')
  await openHttpSessions(lanes, endpoint, sessions)
  const after = await server.resources('collect')
  return (after.rss - before.rss) / 1000 / sessions
}

async function timesToOpen({ lanes, endpoint }: Opened, sessions: number, rounds: number): Promise<number[]> {
  const seconds: number[] = []
  await openHttpSessions(lanes, endpoint, warmUpSessions)
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await openHttpSessions(lanes, endpoint, sessions)
    seconds.push((performance.now() - start) / 1000)
  }
  return seconds
}
