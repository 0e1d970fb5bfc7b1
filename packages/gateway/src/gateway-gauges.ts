import type { BackendStatuses } from './upstream/catalogue/backend-status.ts'
import type { NamedBackendHealth } from './upstream/links/named-backend-health.ts'
import type { SessionTable } from './sessions/session/session-table.ts'
import type { ParkedRequests } from './stateless/parked-requests.ts'
import type { StreamTable } from './sessions/streams/stream-table.ts'

/** The gauges of a node, read at a scrape. */
export interface GatewayGauges {
  /** Sessions whose home is this node, by the transport that they were opened over. */
  readonly sessions: Readonly<Record<string, number>>
  /** Streams of single requests that are open or can still be resumed. */
  readonly streams: number
  /** Requests without a session that wait for answers of their clients (2026-07-28). */
  readonly waiting: number
  /** The gauges of each backend, in the order of the configuration. */
  readonly backends: readonly NamedBackendHealth[]
}

/** Reads the gauges from the tables. */
export function readGauges(
  table: Pick<SessionTable, 'homes'>,
  streams: Pick<StreamTable, 'size'>,
  status: Pick<BackendStatuses, 'gauges'>,
  parked: Pick<ParkedRequests, 'waiting'>,
): GatewayGauges {
  const sessions: Record<string, number> = {}
  for (const { transport } of table.homes()) sessions[transport] = (sessions[transport] ?? 0) + 1
  return { sessions, streams: streams.size, waiting: parked.waiting, backends: status.gauges() }
}
