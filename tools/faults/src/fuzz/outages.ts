import type { FuzzOutage, FuzzSession } from './fuzz-ledger.ts'

/** A broken kept-alive connection may be noticed this long after its node is back. In milliseconds. */
const slackMs = 2_000

/**
 * How long NATS servers may take to elect a leader after the loss of one, in milliseconds. Nothing can be stored until
 * then.
 */
const electionMs = 10_000

/** How long other nodes may assume that a killed node comes back, in milliseconds. */
const noticedMs = 6_000

/** A time span, of `performance.now()`. */
export interface Span {
  readonly began: number
  readonly ended?: number | undefined
}

/** The outages in a span, including the time until their effects end. */
export function outagesIn({ began, ended = Infinity }: Span, outages: readonly FuzzOutage[]): readonly FuzzOutage[] {
  return outages.filter((outage) => began < feltUntil(outage) && ended > outage.began)
}

function feltUntil(outage: FuzzOutage): number {
  const until = outage.ended + slackMs
  return outage.how === 'nats' && outage.isOneOfMany ? Math.max(until, outage.began + electionMs) : until
}

/** Whether a node was away in a span. */
export function isNodeAway(node: number, span: Span, outages: readonly FuzzOutage[]): boolean {
  return outagesIn(span, outages).some((outage) => outage.how !== 'nats' && outage.node === node)
}

/** Whether a NATS server was away in a span. */
export function isNatsAway(span: Span, outages: readonly FuzzOutage[]): boolean {
  return outagesIn(span, outages).some(({ how }) => how === 'nats')
}

/**
 * Whether an outage destroyed the state of its node. A node that did not end in time was killed too; and one that was
 * paused may have been taken for lost.
 */
function isKill(outage: FuzzOutage): boolean {
  return outage.how === 'pause' || outage.how === 'kill' || (outage.how === 'terminate' && outage.code === null)
}

/** The possible homes of a session until a time. */
interface Homes {
  /** One node at first; after its home was shut down, any other node. */
  readonly nodes: ReadonlySet<number>
  /** Whether a node was killed that may have been its home. */
  readonly isLost: boolean
  /** Whether a node was shut down that may have been its home. */
  readonly isMoved: boolean
}

/** @param count the number of nodes */
export function homesOf(
  session: FuzzSession,
  outages: readonly FuzzOutage[],
  count: number,
  until: number = Infinity,
): Homes {
  let nodes: ReadonlySet<number> = new Set([session.node])
  let isLost = false
  let isMoved = false
  for (const outage of outages) {
    if (outage.how === 'nats' || outage.ended < session.began || outage.began > until) continue
    if (!nodes.has(outage.node)) continue
    if (isKill(outage)) isLost = true
    else {
      isMoved = true
      const others = Array.from({ length: count }, (_, node) => node).filter((node) => node !== outage.node)
      // With two nodes it is the other one.
      nodes = new Set(others)
    }
  }
  return { nodes, isLost, isMoved }
}

/** The nodes that may have been the home of a session until a time, also those that it has left. */
export function homesAt(
  session: FuzzSession,
  outages: readonly FuzzOutage[],
  count: number,
  until: number,
): ReadonlySet<number> {
  return new Set([session.node, ...homesOf(session, outages, count, until).nodes])
}

/** Whether an outage destroyed the state of one of these nodes. */
export function wasKilled(outage: FuzzOutage, nodes: ReadonlySet<number>): boolean {
  return isKill(outage) && outage.how !== 'nats' && nodes.has(outage.node)
}

/**
 * Whether a node that may have been the home of the session was killed, and other nodes may not have noticed that: they
 * refuse requests of the session until then, and the client may retry.
 */
export function isHomeMissed(
  session: FuzzSession,
  { began, ended = Infinity }: Span,
  outages: readonly FuzzOutage[],
  count: number,
): boolean {
  const homes = homesAt(session, outages, count, ended)
  return outagesIn({ began: began - noticedMs, ended }, outages).some(
    (outage) => outage.ended >= session.began && wasKilled(outage, homes),
  )
}
