import type { Closer, Fabric, UnreadableReporter } from '@junctor/contracts'
import type { CallContext, Handler, Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { serviceNames } from '../../nodes/service-names.ts'
import type { Clock } from '../../shared/clock.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import { sessionMark } from '../../shared/session-mark.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { FrameDeliveries } from '../frames/frame-deliveries.ts'
import { stopClientMessages } from '../end-session.ts'
import { type HandoverMessage, type HandoverState, readHandover, readHandoverMessage } from './handover-state.ts'
import { HomeSession, type SessionOutlet } from '../session/home-session.ts'
import { paceOf } from '../session/session-outlet.ts'
import type { SessionTable } from '../session/session-table.ts'
import type { KeptFrame } from '../streams/stream-state.ts'
import type { StreamTable } from '../streams/stream-table.ts'

/** How long all pieces of a session may take to arrive, in milliseconds. */
const arriveMs = 30_000

/**
 * What a session of another node is put into, and what can refuse it: no room, no such tenant, or this node leaves
 * too.
 */
export interface AdoptionParts {
  readonly fabric: Pick<Fabric, 'serve'>
  readonly clock: Clock
  readonly limits: Pick<GatewayLimits, 'sessions'>
  readonly tenants: ReadonlyMap<string, TenantEntry>
  /** True when this node is leaving: it adopts no more sessions. */
  readonly isRetired: () => boolean
  readonly table: SessionTable
  readonly deliveries: Pick<FrameDeliveries, 'setMailbox'>
  readonly streams: StreamTable
  readonly outlet: SessionOutlet
  readonly upstream: Pick<Upstream, 'slot' | 'subscriptions'>
  /** Called with a session that this version cannot read. This node does not adopt it. */
  readonly unreadable: UnreadableReporter
}

/**
 * Adopts the sessions of nodes that leave. A session arrives in one or more pieces. A request without a session only
 * asks whether this node would adopt any.
 */
export function serveAdoption(parts: AdoptionParts): Promise<Closer> {
  const { fabric, clock, table, unreadable } = parts
  /** The frames of sessions whose last piece has not arrived yet. */
  const arriving = new Map<string, { readonly frames: KeptFrame[]; readonly since: number }>()

  const framesOf = (id: string, { isFirst, frames }: HandoverMessage, now: number): KeptFrame[] | undefined => {
    for (const [other, { since }] of arriving) if (now - since > arriveMs) arriving.delete(other)
    const before = isFirst ? { frames: [], since: now } : arriving.get(id)
    if (before === undefined) return undefined
    before.frames.push(...frames)
    arriving.set(id, before)
    return before.frames
  }

  /** The leaving node tries another node, which may be able to read the session. */
  const refuse = (id: string, problem: string): Outcome => {
    arriving.delete(id)
    unreadable('handover', sessionMark(id), problem)
    return answer(false)
  }

  const adopt: Handler = (request, { context }) => {
    const { session: id } = context
    if (parts.isRetired()) return answer(false)
    if (id === undefined) return answer(true)
    const read = readHandoverMessage(request.params?.value())
    if (read.kind === 'unreadable') return refuse(id, read.problem)
    const piece = read.value
    const own = table.peek(id)
    if (own !== undefined && own.moves >= piece.moves) return answer(true)
    const now = clock.now()
    const frames = framesOf(id, piece, now)
    if (frames === undefined) return answer(false)
    if (piece.rest === undefined) return answer(true)
    arriving.delete(id)
    const handed = readHandover(piece.rest, piece.moves, frames, now)
    if (handed.kind === 'unreadable') return refuse(id, handed.problem)
    return answer(take(parts, context, handed.value, own))
  }

  return fabric.serve(serviceNames.adopt, adopt)
}

/** @param old the session as an earlier, unconfirmed hand-over left it here: the new one replaces it */
function take(
  parts: AdoptionParts,
  context: CallContext,
  handed: HandoverState,
  old: HomeSession | undefined,
): boolean {
  const { table, deliveries, upstream, streams, tenants, limits } = parts
  const { session: id = '', tenant: name } = context
  const tenant = tenants.get(name)
  if (tenant === undefined || (old === undefined && table.size >= limits.sessions)) return false
  if (old !== undefined) stopClientMessages(upstream, old)
  const { openedAt, moves, dialect, logLevel, mailbox, stream } = handed
  const init = { id, tenant, context: { ...context, trace: undefined }, transport: 'http' as const, openedAt }
  const session = new HomeSession(init, parts.outlet, upstream)
  session.moves = moves
  session.dialect = dialect
  session.logLevel = logLevel
  session.awaitsAnswers = true
  if (stream !== undefined) session.stream = streams.restored(stream, paceOf(session))
  deliveries.setMailbox(session, mailbox)
  table.admit(session)
  upstream.subscriptions.takeIn(session, handed.subscriptions)
  return true
}

function answer(taken: boolean): Outcome {
  return { kind: 'complete', result: payloadOf(taken) }
}
