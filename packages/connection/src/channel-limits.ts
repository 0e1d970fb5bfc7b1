import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/**
 * What bounds a channel of texts that a session lives on, such as a WebSocket, whichever side of it this is. Sizes are
 * bytes, times are milliseconds.
 */
export interface ChannelLimits {
  /** One message. */
  readonly body: number
  /** What the message in a frame may be. */
  readonly frame: FrameBounds
  /** What a slow peer may leave unread. More ends the channel. */
  readonly buffered: number
  /** A peer that was silent for this long is asked for a sign of life. */
  readonly streamKeepAliveMs: number
  /** A peer that was silent for this long, though it was asked, is taken to be gone. */
  readonly stalledMs: number
}

/**
 * Those of the side that serves. All answers of a client share one channel, so that more may gather on it than on one
 * stream over HTTP. From who leaves anything unread, nothing is read.
 */
export const defaultChannelLimits: ChannelLimits = {
  body: 4 * 1024 * 1024,
  frame: defaultFrameBounds,
  buffered: 16 * 1024 * 1024,
  streamKeepAliveMs: 15_000,
  stalledMs: 60_000,
}

/** Those of the side that is served: servers may send as much in one message as over HTTP. */
export const defaultClientChannelLimits: ChannelLimits = {
  ...defaultChannelLimits,
  body: 16 * 1024 * 1024,
  buffered: 64 * 1024 * 1024,
}
