/**
 * Why a side says goodbye, in the header `Junctor-Close`: it has nothing more to say (`done`), it shuts down
 * (`going_away`), the credentials that the channel was opened with have expired (`expired`), the peer left too much unread
 * (`too_slow`), or something went wrong that should not have (`failed`).
 */
export type CloseReason = 'done' | 'going_away' | 'expired' | 'too_slow' | 'failed'

const reasons: ReadonlySet<string> = new Set<CloseReason>(['done', 'going_away', 'expired', 'too_slow', 'failed'])

/** What a peer says; a reason that is not known here is as good as any. */
export function readCloseReason(text: string): CloseReason {
  return reasons.has(text) ? (text as CloseReason) : 'done'
}
