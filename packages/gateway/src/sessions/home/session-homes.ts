import type { Fabric, Log, UnreadableReporter } from '@junctor/contracts'
import type { Host } from '@junctor/exchange'
import type { PresentNodes } from '../../nodes/present-nodes.ts'
import type { ReconnectClock } from '../../nodes/reconnect-clock.ts'
import { createHomeFinder, type HomeFinder } from './home-finder.ts'
import { createHomeSearch, type HomeSearch } from './home-search.ts'
import { createSessionRecords, type SessionRecords } from './session-records.ts'
import type { SessionTable } from '../session/session-table.ts'

/** The nodes of the fabric, and the sessions that this node knows. */
export interface SessionHomesParts {
  readonly fabric: Fabric
  readonly host: Host
  readonly nodes: Pick<PresentNodes, 'isPresent' | 'gateways'>
  readonly reconnects: Pick<ReconnectClock, 'mayNotKnowAll'>
  readonly table: SessionTable
  /** How long a session may be idle, in milliseconds. */
  readonly idleMs: number
  readonly log: Log
  readonly unreadable: UnreadableReporter
}

/** What the nodes together know about the home nodes of sessions. */
export interface SessionHomes {
  readonly records: SessionRecords
  readonly search: HomeSearch
  readonly finder: HomeFinder
}

/** Creates the parts that find the home node of a session: its record, the search among nodes, and the finder over both. */
export function createSessionHomes({
  fabric,
  host,
  nodes,
  reconnects,
  table,
  idleMs,
  log,
  unreadable,
}: SessionHomesParts): SessionHomes {
  const isPresent = (node: string): Promise<boolean> => nodes.isPresent(node)
  const search = createHomeSearch({
    fabric,
    host,
    unreadable,
    gateways: () => nodes.gateways(),
    mayNotKnowAll: () => reconnects.mayNotKnowAll(),
    homeOf: (id) => table.homeOf(id),
  })
  // Twice the idle time: the node that has the session renews the record well before it expires.
  const records = createSessionRecords(fabric, fabric.now, 2 * idleMs, unreadable)
  return { records, search, finder: createHomeFinder({ table, records, search, isPresent, log }) }
}
