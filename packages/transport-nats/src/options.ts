import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/** What bounds one channel, whichever side of it this is. Sizes are bytes, times are milliseconds. */
export interface NatsLimits {
  /** One message, in one part or in many. A larger one is refused, and the channel goes on. */
  readonly body: number
  /** What the message in a frame may be. */
  readonly frame: FrameBounds
  /** What a slow peer may leave unread, and what is kept of its own meanwhile. More ends the channel. */
  readonly buffered: number
  /** A peer that was silent for this long is asked for a sign of life. */
  readonly streamKeepAliveMs: number
  /** A peer that was silent for this long, though it was asked, is taken to be gone. */
  readonly stalledMs: number
}

/** What bounds channels on the front side. */
export interface FrontLimits extends NatsLimits {
  /** How long closing waits for answers that are under way. */
  readonly graceMs: number
  /** Channels of clients at once. Who asks for more is told to come back. */
  readonly connections: number
}

/** As those of a WebSocket: all answers of a client share one channel. */
const defaultLimits: NatsLimits = {
  body: 4 * 1024 * 1024,
  frame: defaultFrameBounds,
  buffered: 16 * 1024 * 1024,
  streamKeepAliveMs: 15_000,
  stalledMs: 60_000,
}

export const defaultFrontLimits: FrontLimits = { ...defaultLimits, graceMs: 10_000, connections: 10_000 }

/** Servers may send as much in one message as over HTTP. */
export const defaultClientLimits: NatsLimits = {
  ...defaultLimits,
  body: 16 * 1024 * 1024,
  buffered: 64 * 1024 * 1024,
}
