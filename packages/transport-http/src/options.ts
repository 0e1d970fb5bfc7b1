import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/** The limits of HTTP on the front side. Sizes are in bytes, times in milliseconds. */
export interface HttpLimits {
  /** One request body. Larger ones are 413. */
  readonly body: number
  /** The request line and headers of one request, together. More is 431. */
  readonly headers: number
  /** One frame: its depth, the number of messages in a batch, the length of an id. */
  readonly frame: FrameBounds
  /**
   * The largest number of open sockets. For one more, the oldest connection without a request is closed; if there is
   * none, the first request of the new one is refused.
   */
  readonly connections: number
  /**
   * The largest number of sockets from one address. Default: three quarters of `connections`, because all clients
   * behind one load balancer share its address, and one address alone must not have all.
   */
  readonly connectionsOfAddress?: number
  /**
   * How much of one stream a slow reader may leave unread before its connection is closed. It can resume the stream,
   * except with HTTP+SSE, where four times as much may be unread.
   */
  readonly streamBuffer: number
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number
  /** From the first byte of a request to the end of its body. Answers and streams are not timed. */
  readonly requestTimeoutMs: number
  /**
   * How long an idle connection is kept. Longer than a load balancer's own timeout, so that the server never closes
   * first.
   */
  readonly keepAliveTimeoutMs: number
  /** How long the peer may read nothing before its connection is closed. */
  readonly stalledMs: number
  /** A stream that was silent for this long gets a comment, so that proxies keep it open. */
  readonly streamKeepAliveMs: number
  /** How long closing waits for pending answers. */
  readonly graceMs: number
}

/** The limits of an HTTP front that apply without a configured value. */
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
