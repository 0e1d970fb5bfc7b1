import type { FuzzOutage, FuzzSession } from './fuzz-ledger.ts'

/** A connection that was kept may be found to be broken a little after its node is there again. In milliseconds. */
const slackMs = 2_000

/** NATS servers that have lost one of them elect a leader within this, in milliseconds. Nothing can be stored until then. */
const electionMs = 10_000

/** From and to, of `performance.now()`. */
export interface Span {
  readonly began: number
  readonly ended?: number | undefined
}

/** What went, or was on its way back, in a span. */
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

/** Whether an outage took what its node held. One that did not end in time was killed as well. */
export function isKill(outage: FuzzOutage): boolean {
  return outage.how === 'kill' || (outage.how === 'terminate' && outage.code === null)
}

/** Where a session may have been at home until a time. */
interface Homes {
  /** One at first; after its home was asked to end, any other node. */
  readonly nodes: ReadonlySet<number>
  /** A node was killed where it may have been. */
  readonly isLost: boolean
  /** A node was asked to end where it may have been. */
  readonly isMoved: boolean
}

/** @param count of nodes */
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
      // With two nodes there is only the other one.
      nodes = new Set(others)
    }
  }
  return { nodes, isLost, isMoved }
}
