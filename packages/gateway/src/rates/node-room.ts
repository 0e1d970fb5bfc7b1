/** The calls that count against one limit, as far as a node knows them. */
export interface KnownCalls {
  /** The most calls of all nodes in one window. */
  readonly limit: number
  /** The calls that clients tried at this node in the window before, admitted or not. */
  readonly ownBefore: number
  /** The same at the other nodes, as far as they have reported. */
  readonly othersBefore: number
  /** The calls that the other nodes have admitted in this window, as far as they have reported. */
  readonly othersNow: number
}

/**
 * How many calls this node may admit in this window: what the other nodes leave. When clients tried more calls in the
 * window before than the limit allows, each node has the share that its clients had of them. Otherwise every node would
 * admit the whole limit at the start of a window, before it receives the counts of the others.
 */
export function nodeRoom({ limit, ownBefore, othersBefore, othersNow }: KnownCalls): number {
  const rest = Math.max(0, limit - othersNow)
  const tried = ownBefore + othersBefore
  if (othersBefore === 0 || tried <= limit) return rest
  // One more than was tried: a node whose clients come back is not left without a share.
  return Math.min(rest, Math.ceil((limit * (ownBefore + 1)) / (tried + 1)))
}
