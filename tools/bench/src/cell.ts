import { openHttpLanes } from './load/http-lane.ts'
import type { Lane } from './load/lane.ts'
import { callsPerLane, type LoadResult, queuedCallsPerLane, runLoad } from './load/run-load.ts'
import { openQueuedLanes } from './load/queued-lanes.ts'
import { encodeLine, encodePost, openHttpSession, openOwnSession } from './load/sessions.ts'
import { openStdioLanes } from './load/stdio-lanes.ts'
import { encodeFrame } from './load/web-socket-frame.ts'
import { openWebSocketLanes } from './load/web-socket-lane.ts'
import type { Encode } from './load/calls.ts'
import type { ServerProcess } from './server-process.ts'
import type { Subject } from './subjects.ts'

/** One subject under one load. */
export interface Cell {
  readonly subject: Subject
  readonly lanes: number
}

/** The result of one load of one cell. */
export interface Measurement extends LoadResult {
  readonly perSecond: number
  /** Processor time of the server for each request, in microseconds. For a gateway, without its backends. */
  readonly cpu: number
}

/** How long a load lasts, in milliseconds. The warm-up comes first and is not measured. */
export interface LoadTimes {
  readonly loadMs: number
  readonly warmUpMs: number
}

/** Loads a server once, on its own connections and in its own session. */
export async function measure(
  { subject, lanes: count }: Cell,
  server: ServerProcess,
  { loadMs, warmUpMs }: LoadTimes,
): Promise<Measurement> {
  const { lanes, encode } = await openLanes(subject, server, count)
  try {
    const perLane = subject.wire === 'queued' ? queuedCallsPerLane : callsPerLane
    const calls = subject.calls(count * perLane, encode)
    const warmUp = await runLoad(lanes, calls, warmUpMs, perLane)
    const before = await server.resources()
    const load = await runLoad(lanes, calls, loadMs, perLane, true)
    const after = await server.resources()
    return {
      ...load,
      perSecond: load.requests / load.seconds,
      cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / load.requests,
      errors: [...warmUp.errors, ...load.errors],
    }
  } finally {
    for (const lane of lanes) lane.close()
  }
}

interface OpenLanes {
  readonly lanes: readonly Lane[]
  readonly encode: Encode
}

async function openLanes(subject: Subject, { port, input, output }: ServerProcess, count: number): Promise<OpenLanes> {
  if (port === undefined) return { lanes: openStdioLanes({ input, output }, count, callsPerLane), encode: encodeLine }
  const endpoint = { path: '/mcp', ...subject.address, port }
  if (subject.wire === 'queued') return openQueuedLanes(endpoint, count, queuedCallsPerLane)
  if (subject.wire === 'websocket') {
    const lanes = await openWebSocketLanes(endpoint, count)
    if (subject.session) await Promise.all(lanes.map((lane) => openOwnSession(lane, encodeFrame)))
    return { lanes, encode: encodeFrame }
  }
  const lanes = await openHttpLanes(port, count)
  const [first] = lanes
  const id = subject.session && first !== undefined ? await openHttpSession(first, endpoint) : undefined
  return { lanes, encode: encodePost(endpoint, id) }
}

/** Opens the only session of a server on standard streams. */
export async function openOnlySession(server: ServerProcess): Promise<void> {
  const [lane] = openStdioLanes(server, 1, 1)
  if (lane === undefined) return
  await openOwnSession(lane, encodeLine)
  lane.close()
}
