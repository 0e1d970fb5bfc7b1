import type { ChannelLimits } from '@junctor/connection'
import { defaultChannelLimits, defaultClientChannelLimits } from '@junctor/connection'

/**
 * What bounds one WebSocket connection, whichever side of it this is. A message that is larger than `body` ends it (close
 * code 1009), and so does a peer that leaves more than `buffered` unread (1013).
 */
export interface WebSocketLimits extends ChannelLimits {
  /** How long a peer may take to answer a close, before its connection is cut, in milliseconds. */
  readonly closeMs: number
}

/** What bounds WebSockets on the front side. */
export interface FrontLimits extends WebSocketLimits {
  /** How long closing waits for answers that are under way, in milliseconds. */
  readonly graceMs: number
}

const closeMs = 2_000

/** Those that HTTP has too are as they are there. */
export const defaultFrontLimits: FrontLimits = { ...defaultChannelLimits, closeMs, graceMs: 10_000 }

/** Backends are waited for as long as their calls may wait. */
export const defaultBackLimits: WebSocketLimits = { ...defaultClientChannelLimits, closeMs }
