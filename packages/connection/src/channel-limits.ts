import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/**
 * The limits of a channel that carries the texts of a session, such as a WebSocket, for both sides of the channel.
 * Sizes are bytes, times are milliseconds.
 */
export interface ChannelLimits {
  /** The size of one message. */
  readonly body: number
  /** The limits of the message inside a frame. */
  readonly frame: FrameBounds
  /** How much a slow peer may leave unread. Above this limit the channel is closed. */
  readonly buffered: number
  /** A peer that was silent for this long is pinged. */
  readonly streamKeepAliveMs: number
  /** A peer that was silent for this long, in spite of pings, is treated as gone. */
  readonly stalledMs: number
}

/**
 * The limits of the server side. All answers of a client share one channel, so more may be buffered on it than on one
 * stream over HTTP. Nothing is read from a client while it leaves messages unread.
 */
export const defaultChannelLimits: ChannelLimits = {
  body: 4 * 1024 * 1024,
  frame: defaultFrameBounds,
  buffered: 16 * 1024 * 1024,
  streamKeepAliveMs: 15_000,
  stalledMs: 60_000,
}

/** The limits of the client side: servers may send as much in one message as over HTTP. */
export const defaultClientChannelLimits: ChannelLimits = {
  ...defaultChannelLimits,
  body: 16 * 1024 * 1024,
  buffered: 64 * 1024 * 1024,
}
