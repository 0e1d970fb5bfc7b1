/**
 * Why a side closes a channel, in the header `Junctor-Close`: it has no more messages (`done`), it shuts down
 * (`going_away`), the credentials of the channel have expired (`expired`), the peer left too much unread (`too_slow`),
 * or there was an internal error (`failed`).
 */
export type CloseReason = 'done' | 'going_away' | 'expired' | 'too_slow' | 'failed'

const reasons: ReadonlySet<string> = new Set<CloseReason>(['done', 'going_away', 'expired', 'too_slow', 'failed'])

/** Parses the reason of a peer; an unknown reason counts as `done`. */
export function readCloseReason(text: string): CloseReason {
  return reasons.has(text) ? (text as CloseReason) : 'done'
}
