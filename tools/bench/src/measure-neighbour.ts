import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { judge, type RowResult } from './compare.ts'
import { openHttpLanes } from './load/http-lane.ts'
import { runPacedLoad } from './load/paced-load.ts'
import { type Endpoint, encodePost, openHttpSession } from './load/sessions.ts'
import type { NeighbourRow } from './rows.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { median, spread } from './statistics.ts'

const program = new URL('./servers/neighbours.ts', import.meta.url)

/** Connections of the client whose calls are measured. */
const laneCount = 4

/** How many calls do harm at the same time. */
const harmfulCalls = 4

/**
 * Measures calls of one backend alone, and then beside a plugin in a process of its own that does harm. Each round has a
 * node of its own, because some harm does not end with its calls. The value is the ratio of the two 99th percentiles.
 */
export async function measureNeighbour(row: NeighbourRow, rounds: number, loadMs: number): Promise<RowResult> {
  const { name, title, bar, harm } = row
  const ratios: number[] = []
  const alone: number[] = []
  const problems: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ program, args: [] })
    try {
      // The first load warms the node up.
      await measured(server, loadMs)
      const quiet = await measured(server, loadMs)
      const sockets = await doHarm(server, harm)
      const beside = await measured(server, loadMs)
      for (const socket of sockets) socket.destroy()
      problems.push(...quiet.errors, ...beside.errors)
      alone.push(quiet.p99)
      ratios.push(beside.p99 / quiet.p99)
    } finally {
      await server.stop()
    }
  }
  const value = spread(problems.length > 0 ? [NaN] : ratios)
  const baseline = `${median(alone).toFixed(2)} ms alone`
  return { name, title, baseline, value, bar, verdict: judge(value.median, bar) }
}

function endpointOf({ port = 0 }: ServerProcess): Endpoint {
  return { port, path: '/mcp' }
}

async function measured(
  server: ServerProcess,
  loadMs: number,
): Promise<{ readonly p99: number; readonly errors: readonly string[] }> {
  const endpoint = endpointOf(server)
  const lanes = await openHttpLanes(endpoint.port, laneCount)
  try {
    const [first] = lanes
    const session = first === undefined ? undefined : await openHttpSession(first, endpoint)
    return await runPacedLoad(lanes, encodePost(endpoint, session), loadMs)
  } finally {
    for (const lane of lanes) lane.close()
  }
}

/** Calls the harmful tool several times, each on its own connection, and reads whatever comes. */
async function doHarm(server: ServerProcess, harm: string): Promise<readonly Socket[]> {
  const endpoint = endpointOf(server)
  const [lane] = await openHttpLanes(endpoint.port, 1)
  if (lane === undefined) throw new Error('expected a connection')
  const encode = encodePost(endpoint, await openHttpSession(lane, endpoint))
  lane.close()
  return Promise.all(
    Array.from({ length: harmfulCalls }, async (_, id) => {
      const socket = connect({ port: endpoint.port, host: '127.0.0.1' })
      await once(socket, 'connect')
      socket.on('error', () => {})
      socket.resume()
      const params = { name: `hostile__${harm}`, arguments: {}, _meta: { progressToken: id } }
      socket.write(encode(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })))
      return socket
    }),
  )
}
