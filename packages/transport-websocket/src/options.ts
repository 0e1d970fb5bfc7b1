import { type ChannelLimits, defaultChannelLimits, defaultClientChannelLimits } from '@junctor/connection'

/**
 * The limits of one WebSocket connection, on either side. A message that is larger than `body` ends it (close code
 * 1009), and so does a peer that leaves more than `buffered` unread (1013).
 */
export interface WebSocketLimits extends ChannelLimits {
  /** How long a peer may take to answer a close before its connection is cut, in milliseconds. */
  readonly closeMs: number
}

/** The limits of WebSockets on the front side. */
export interface FrontLimits extends WebSocketLimits {
  /** How long closing waits for pending answers, in milliseconds. */
  readonly graceMs: number
}

const closeMs = 2_000

/** Limits that HTTP has too have the same values. */
export const defaultFrontLimits: FrontLimits = { ...defaultChannelLimits, closeMs, graceMs: 10_000 }

/** The limits on the back side: a backend may take as long as its calls may. */
export const defaultBackLimits: WebSocketLimits = { ...defaultClientChannelLimits, closeMs }
