import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/** What bounds HTTP on the front side. Sizes are bytes, times are milliseconds. */
export interface HttpLimits {
  /** One request body. Larger ones are 413. */
  readonly body: number
  /** The request line and headers of one request, together. More is 431. */
  readonly headers: number
  /** One frame: its depth, the messages of a batch, the length of an id. */
  readonly frame: FrameBounds
  /**
   * Sockets open at once. For one more the oldest that has said nothing yet is closed; where there is none, its first
   * request is refused.
   */
  readonly connections: number
  /**
   * Those of one address. Default: three quarters of `connections`, because all clients behind one load balancer share its
   * address, and one address alone must not have all.
   */
  readonly connectionsOfAddress?: number
  /** What a slow reader may leave unread of one stream before its connection is closed. It can resume the stream. */
  readonly streamBuffer: number
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number
  /** From the first byte of a request to the end of its body. Answers and streams are not timed. */
  readonly requestTimeoutMs: number
  /** How long an idle connection is kept. Longer than a load balancer's own, so that it is never the server that hangs up on a request. */
  readonly keepAliveTimeoutMs: number
  /** How long the peer may take nothing of what is written to it before its connection is closed. */
  readonly stalledMs: number
  /** A stream that was silent for this long gets a comment, so that no proxy takes it for dead. */
  readonly streamKeepAliveMs: number
  /** How long closing waits for answers that are under way. */
  readonly graceMs: number
}

export const defaultHttpLimits: HttpLimits = {
  body: 4 * 1024 * 1024,
  headers: 16 * 1024,
  frame: defaultFrameBounds,
  connections: 10_000,
  streamBuffer: 4 * 1024 * 1024,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 75_000,
  stalledMs: 60_000,
  streamKeepAliveMs: 15_000,
  graceMs: 10_000,
}
