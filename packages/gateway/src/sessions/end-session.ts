import type { EndReason } from '@junctor/exchange'
import type { Fabric, TelemetryEvent, Log, SessionEvent, Emit } from '@junctor/contracts'
import type { Clock } from '../shared/clock.ts'
import type { AskTable } from './asks/ask-table.ts'
import { toSessionControl } from './session-control.ts'
import type { StreamTable } from './streams/stream-table.ts'
import type { HomeSession } from './session/home-session.ts'
import type { SessionRecords } from './home/session-records.ts'
import type { SessionTable } from './session/session-table.ts'
import { sessionMark } from '../shared/session-mark.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** What the end of a session must clean up. */
export interface EndParts {
  readonly fabric: Fabric
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'end' | 'endHere'>
  readonly log: Log
  readonly streams: StreamTable
  readonly asks: AskTable
  readonly upstream: Pick<Upstream, 'ends' | 'subscriptions'>
  readonly clock: Clock
  readonly emit: Emit
  /** Ends the jobs whose answers would go to the stream of a session that has ended. */
  readonly endJobs: (session: string) => void
  /**
   * Ends the calls that other nodes have sent to this node for a session that has ended. `isOutlived`: but not those of
   * its jobs.
   */
  readonly endVisiting: (session: string, reason: EndReason, isOutlived: boolean) => void
}

/** The reason for the end of a session, as events report it. */
export type SessionCloseReason = Extract<SessionEvent, { kind: 'session_closed' }>['reason']

const closeReasons: Readonly<Partial<Record<EndReason, SessionCloseReason>>> = {
  disconnected: 'disconnected',
  shutdown: 'shutdown',
}

/**
 * Ends a session everywhere. First its requests, streams and questions on this node end; then its record is removed, so
 * that no node finds it; then its links on its home node close, and the other nodes are notified.
 */
export async function endSession(
  parts: EndParts,
  id: string,
  reason: EndReason,
  why: SessionCloseReason = closeReasons[reason] ?? 'deleted',
): Promise<void> {
  const { table, fabric } = parts
  const isOutlived = keepsTasks.has(why)
  const home = table.home(id)
  const served = table.served(id)
  // Before the record is removed: a request that comes meanwhile must not use links that are about to close.
  leaveSession(parts, id, reason)
  parts.endVisiting(id, reason, isOutlived)
  await forget(parts, id, home)
  if (home === undefined) {
    if (served !== undefined) await fabric.send(served.home, toSessionControl({ kind: 'end', session: id }))
    return
  }
  parts.emit(closedEvent(home, why, parts.clock.now()))
  const over = closeHome(parts, home, isOutlived)
  const kind = reason === 'shutdown' ? 'session-left' : 'session-ended'
  await Promise.all([over, fabric.send('all', toSessionControl({ kind, session: id }))])
}

/** Records the end of a session for all nodes, so that none finds it any more. Records also expire. */
async function forget({ records, log }: EndParts, id: string, home: HomeSession | undefined): Promise<void> {
  try {
    await (home === undefined ? records.end(id) : records.endHere(home))
  } catch (error) {
    log.warn('the end of a session could not be stored', { error })
  }
}

/**
 * Ends the state on this node of a session that has ended, or continues, at another home node. Another node may have given
 * this node the session without learning that: then its links here close.
 */
export async function leaveHome(parts: EndParts, id: string, reason: EndReason = 'session_ended'): Promise<void> {
  const home = parts.table.peek(id)
  leaveSession(parts, id, reason)
  if (home !== undefined) await closeHome(parts, home, false)
}

/**
 * Ends the running work of a session on its home node, and closes its links.
 *
 * @param isOutlived whether its jobs continue; the links that they need close after them
 */
async function closeHome(parts: EndParts, home: HomeSession, isOutlived: boolean): Promise<void> {
  stopClientMessages(parts.upstream, home)
  const jobs = isOutlived ? home.jobsDone() : undefined
  if (jobs === undefined) return parts.upstream.ends.retire(home)
  // The caller does not wait for the jobs. Should this fail, the links close when they are idle.
  void jobs.then(() => parts.upstream.ends.retire(home))
}

/** Stops all messages to the client of a session whose home was this node. The session's links stay open. */
export function stopClientMessages({ subscriptions }: Pick<Upstream, 'subscriptions'>, home: HomeSession): void {
  home.ended = true
  home.stream?.close()
  subscriptions.end(home)
}

/** The close reasons that do not end tasks: the client may return in another session to get their results. */
const keepsTasks: ReadonlySet<SessionCloseReason> = new Set(['deleted', 'disconnected', 'idle'])

/** Ends the state of a session on this node: the session has ended, here or on its home node. */
function leaveSession(
  parts: Pick<EndParts, 'table' | 'streams' | 'asks' | 'endJobs'>,
  id: string,
  reason: EndReason,
): void {
  const session = parts.table.drop(id)
  for (const exchange of session?.inFlight?.values() ?? []) exchange.end(reason)
  parts.streams.closeSession(id)
  parts.asks.endSession(id)
  parts.endJobs(id)
}

function closedEvent(
  { id, context, transport, openedAt }: HomeSession,
  reason: SessionCloseReason,
  now: number,
): TelemetryEvent {
  return {
    kind: 'session_closed',
    tenant: context.tenant,
    transport,
    session: sessionMark(id),
    reason,
    durationMs: now - openedAt,
  }
}
