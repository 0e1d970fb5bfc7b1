import {
  createErrorReporter,
  createUnreadableReporter,
  type Emit,
  type ErrorReporter,
  type Fabric,
  type Log,
  pacedOutages,
  type UnreadableReporter,
} from '@junctor/contracts'
import type { Host } from '@junctor/exchange'
import { reportLostCalls } from './front/requests/report-lost-calls.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { createReconnectClock, type ReconnectClock } from './nodes/reconnect-clock.ts'
import { type PresentNodes, watchNodes } from './nodes/present-nodes.ts'
import { createRates, type Rates } from './rates/create-rates.ts'
import { type AskTable, createAskTable } from './sessions/asks/ask-table.ts'
import { createHost } from './sessions/session/create-host.ts'
import { createHomeCalls, type HomeCalls } from './nodes/home-calls.ts'
import type { SessionOutlet } from './sessions/session/home-session.ts'
import { createSessionOutlet } from './sessions/session/session-outlet.ts'
import { createSessionHomes, type SessionHomes } from './sessions/home/session-homes.ts'
import { SessionTable } from './sessions/session/session-table.ts'
import { createStreamTable, type StreamTable } from './sessions/streams/stream-table.ts'
import type { Clock } from './shared/clock.ts'
import { type GatewayLimits, limitsWith } from './shared/limits.ts'
import { withMounts } from './shared/mounts.ts'
import { LargeRequests } from './shared/large-requests.ts'
import { type NodeLoad, watchLoad } from './shared/node-load.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'
import { createNodeIds } from './shared/node-id.ts'
import { createDeadlines } from './shared/deadlines.ts'
import { longestCall } from './upstream/links/longest-call.ts'

/** The state of a gateway that changes while it runs. */
interface GatewayState {
  /** The gateway opens no more sessions. */
  isRetired: boolean
  /** The longest timeout of a call of any tenant, in milliseconds. */
  longestCallMs: number
}

/** What all parts of a gateway use: its limits, its tables, and the other nodes. */
export interface NodeParts extends SessionHomes {
  readonly fabric: Fabric
  readonly log: Log
  readonly emit: Emit
  readonly reportError: ErrorReporter
  readonly limits: GatewayLimits
  readonly clock: Clock
  /** By name. The map is changed in place when the configuration is reloaded. */
  readonly tenants: Map<string, TenantEntry>
  readonly state: GatewayState
  readonly longestCallMs: () => number
  readonly streams: StreamTable
  readonly asks: AskTable
  readonly table: SessionTable
  readonly homeCalls: HomeCalls
  readonly host: Host
  /** Called with data of another node that this version cannot read. */
  readonly unreadable: UnreadableReporter
  readonly reconnects: ReconnectClock
  readonly nodes: PresentNodes
  readonly rates: Rates
  readonly load: NodeLoad
  readonly large: LargeRequests
  /** Whether a node is present, also while it cannot be reached for a moment. */
  readonly isPresent: (node: string) => Promise<boolean>
  readonly outlet: SessionOutlet
  /** How long a session may be idle, in milliseconds. */
  readonly idleMs: number
}

/** Creates the limits, the tables and the view of the other nodes. */
export function createNodeParts(options: GatewayOptions): NodeParts {
  const { fabric, emit } = options
  const { now } = fabric
  const log = pacedOutages(options.log)
  const reportError = createErrorReporter(options.log, emit)
  const unreadable = createUnreadableReporter(log, emit)
  const limits = limitsWith(options.limits)
  const { askTimeoutMs, sessionIdleMs: idleMs } = limits
  const clock = { now, deadlines: createDeadlines(now, reportError) }
  const state: GatewayState = { isRetired: false, longestCallMs: longestCall(options.tenants) }
  const tenants = new Map(withMounts(options.tenants, options.publicUrl).map((tenant) => [tenant.tenant.name, tenant]))
  const homeCalls = createHomeCalls(fabric)
  const streams = createStreamTable(fabric.node, limits, now, {
    dropped: () => emit({ kind: 'notification_dropped', reason: 'overflow', count: 1 }),
    // HTTP is the only transport whose readers can resume a stream.
    overflowed: () => emit({ kind: 'stream_overflowed', transport: 'http' }),
  })
  const nextId = createNodeIds(fabric.node)
  const asks = createAskTable(clock)
  const table = new SessionTable(fabric.node, now)
  const host = createHost({ nextId, now, asks, table, askTimeoutMs, emit, reportError })
  const reconnects = createReconnectClock(fabric)
  const nodes = watchNodes(fabric, reconnects, reportError)
  return {
    fabric,
    log,
    emit,
    reportError,
    limits,
    clock,
    state,
    streams,
    asks,
    table,
    host,
    unreadable,
    reconnects,
    nodes,
    load: watchLoad(limits, log),
    large: new LargeRequests(),
    rates: createRates({ fabric, nodes, emit, reportError }),
    idleMs,
    ...createSessionHomes({ fabric, host, nodes, reconnects, table, idleMs, log, unreadable }),
    tenants,
    longestCallMs: () => state.longestCallMs,
    homeCalls: (home) => reportLostCalls(homeCalls(home), { tenants, emit }),
    isPresent: (node) => nodes.isPresent(node),
    outlet: createSessionOutlet(streams, asks, nextId, askTimeoutMs),
  }
}
