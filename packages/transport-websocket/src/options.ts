import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/** What bounds one WebSocket connection, whichever side of it this is. Sizes are bytes, times are milliseconds. */
export interface WebSocketLimits {
  /** One message. A larger one ends the connection (close code 1009). */
  readonly body: number
  /** What the message in a frame may be. */
  readonly frame: FrameBounds
  /** What a slow peer may leave unread. More ends the connection (close code 1013). */
  readonly buffered: number
  /** A peer that was silent for this long is pinged. */
  readonly streamKeepAliveMs: number
  /** A peer that was silent for this long, pings included, is taken to be gone. */
  readonly stalledMs: number
  /** How long a peer may take to answer a close, before its connection is cut. */
  readonly closeMs: number
}

/** What bounds WebSockets on the front side. */
export interface FrontLimits extends WebSocketLimits {
  /** How long closing waits for answers that are under way. */
  readonly graceMs: number
}

/**
 * All answers of a client share one connection, so that more may gather on it than on one stream over HTTP. From who
 * leaves anything unread, nothing is read.
 */
const defaultLimits: WebSocketLimits = {
  body: 4 * 1024 * 1024,
  frame: defaultFrameBounds,
  buffered: 16 * 1024 * 1024,
  streamKeepAliveMs: 15_000,
  stalledMs: 60_000,
  closeMs: 2_000,
}

/** Those that HTTP has too are as they are there. */
export const defaultFrontLimits: FrontLimits = { ...defaultLimits, graceMs: 10_000 }

/** Backends may send as much in one message as over HTTP, and are waited for as long as their calls may wait. */
export const defaultBackLimits: WebSocketLimits = {
  ...defaultLimits,
  body: 16 * 1024 * 1024,
  buffered: 64 * 1024 * 1024,
}
