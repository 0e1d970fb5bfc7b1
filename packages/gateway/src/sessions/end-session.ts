import type { EndReason } from '@junctor/exchange'
import type { Fabric, Fact, Log, SessionFact, Tell } from '@junctor/contracts'
import type { Clock } from '../shared/clock.ts'
import type { AskTable } from './ask-table.ts'
import { toControl } from './control.ts'
import type { StreamTable } from './streams/stream-table.ts'
import type { HomeSession } from './home-session.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionTable } from './session-table.ts'
import { sessionMark } from '../shared/session-mark.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** What a session leaves behind when it ends. */
export interface EndParts {
  readonly fabric: Fabric
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'end' | 'over'>
  readonly log: Log
  readonly streams: StreamTable
  readonly asks: AskTable
  readonly upstream: Pick<Upstream, 'retire' | 'subscriptions'>
  readonly clock: Clock
  readonly tell: Tell
  /** Ends what would be answered on the stream of a session that has ended. */
  readonly endJobs: (session: string) => void
}

/** Why a session was closed, as it is told. */
export type CloseReason = Extract<SessionFact, { kind: 'session_closed' }>['reason']

const closeReasons: Readonly<Partial<Record<EndReason, CloseReason>>> = {
  disconnected: 'disconnected',
  shutdown: 'shutdown',
}

/**
 * Ends a session everywhere: its requests, streams and questions end on this node, then nobody finds it any more, then
 * its links at its home end, and the other nodes hear of it.
 */
export async function endSession(
  parts: EndParts,
  id: string,
  reason: EndReason,
  why: CloseReason = closeReasons[reason] ?? 'deleted',
): Promise<void> {
  const { table, fabric } = parts
  const home = table.home(id)
  const served = table.served(id)
  // At once: what comes while the record goes must not begin on links that are about to be closed.
  leaveSession(parts, id, reason)
  await forget(parts, id, home)
  if (home === undefined) {
    if (served !== undefined) await fabric.send(served.home, toControl({ kind: 'end', session: id }))
    return
  }
  parts.tell(closed(home, why, parts.clock.now()))
  const over = closeHome(parts, home, outlived.has(why))
  const kind = reason === 'shutdown' ? 'session-left' : 'session-ended'
  await Promise.all([over, fabric.send('all', toControl({ kind, session: id }))])
}

/** Makes known to all nodes that a session has ended, so that none finds it any more. Records also expire. */
async function forget({ records, log }: EndParts, id: string, home: HomeSession | undefined): Promise<void> {
  try {
    await (home === undefined ? records.end(id) : records.over(home))
  } catch (error) {
    log.warn('the end of a session could not be stored', { error })
  }
}

/** Ends what this node holds of a session that has another home now, and goes on there. */
export async function leaveHome(parts: EndParts, id: string): Promise<void> {
  const home = parts.table.peek(id)
  leaveSession(parts, id, 'session_ended')
  if (home !== undefined) await closeHome(parts, home, false)
}

/**
 * Ends what is at work for a session at its home, and closes its links.
 *
 * @param isOutlived whether its jobs go on; the links that they need are closed after them
 */
async function closeHome(parts: EndParts, home: HomeSession, isOutlived: boolean): Promise<void> {
  silenceHome(parts.upstream, home)
  const jobs = isOutlived ? home.jobsDone() : undefined
  if (jobs === undefined) return parts.upstream.retire(home)
  // Nobody waits for them; should it fail, the links are closed when they are idle.
  void jobs.then(() => parts.upstream.retire(home))
}

/** Says nothing more to the client of a session that was at home here. Its links stay. */
export function silenceHome({ subscriptions }: Pick<Upstream, 'subscriptions'>, home: HomeSession): void {
  home.ended = true
  home.stream?.close()
  subscriptions.end(home)
}

/** What tasks go on after: their client may come back, in another session, and wants to know what they came to. */
const outlived: ReadonlySet<CloseReason> = new Set(['deleted', 'disconnected', 'idle'])

/** Ends what this node holds of a session: it has ended, here or at its home. */
export function leaveSession(
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

function closed({ id, context, transport, openedAt }: HomeSession, reason: CloseReason, now: number): Fact {
  return {
    kind: 'session_closed',
    tenant: context.tenant,
    transport,
    session: sessionMark(id),
    reason,
    durationMs: now - openedAt,
  }
}
