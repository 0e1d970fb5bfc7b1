import type { CloseReason } from '@junctor/connection'

/** Why this side ends a connection. `binary`: the peer sent a frame that is not text. */
export type SocketCloseReason = CloseReason | 'binary'

/**
 * The close code of each reason (RFC 6455 section 7.4.1, and its registry). `ws` itself sends 1002 for an invalid
 * frame, 1007 for text that is not UTF-8, and 1009 for a message that is too large. 1006 is never sent: a side uses it
 * locally when its peer has vanished.
 */
export const closeCodes: Readonly<Record<SocketCloseReason, { readonly code: number; readonly text: string }>> = {
  done: { code: 1000, text: 'The session has ended' },
  going_away: { code: 1001, text: 'The server is shutting down' },
  binary: { code: 1003, text: 'Expected text frames, got a binary one' },
  expired: { code: 1008, text: 'The credentials have expired: connect again with new ones' },
  failed: { code: 1011, text: 'Something went wrong that should not have' },
  too_slow: { code: 1013, text: 'Too much was left unread' },
}
