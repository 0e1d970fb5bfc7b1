import type { CloseReason } from '@junctor/connection'

const reasons: ReadonlySet<string> = new Set<CloseReason>(['done', 'going_away', 'expired', 'too_slow', 'failed'])

/** Parses the reason of a peer, in the header `Junctor-Close`; an unknown reason counts as `done`. */
export function readCloseReason(text: string): CloseReason {
  return reasons.has(text) ? (text as CloseReason) : 'done'
}
