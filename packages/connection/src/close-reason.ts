/**
 * Why a side closes the connection of a client: it has no more messages (`done`), it shuts down (`going_away`), the
 * credentials of the connection have expired (`expired`), the peer left too much unread (`too_slow`), or there was an
 * internal error (`failed`).
 */
export type CloseReason = 'done' | 'going_away' | 'expired' | 'too_slow' | 'failed'
