import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/** The limits of a line-based connection, on either side. */
export interface LineLimits {
  /** The longest line that is read, in bytes. A longer one is dropped; the connection continues. */
  readonly line: number
  /** The limits of the message in a line. */
  readonly frame: FrameBounds
  /** How many characters may wait for a reader that does not read. More ends the connection. */
  readonly buffered: number
}

/** The limits of standard input and output on the front side. */
export interface FrontLimits extends LineLimits {
  /** How long to wait for pending answers at the end of the input, in milliseconds. */
  readonly drainMs: number
}

/** The limits of a child process. */
export interface ChildLimits extends LineLimits {
  /** The most characters of one line of the child's stderr that are logged. */
  readonly stderrLine: number
  /** How long a child may take to end: once after its input is closed, once more after SIGTERM. In milliseconds. */
  readonly graceMs: number
}

/**
 * The official SDKs accept lines of 10 MiB. A reader with 64 Mi unread characters has stopped: input is not read while
 * the output waits, so only answers to earlier requests can collect.
 */
const lineLimits: LineLimits = { line: 10 * 1024 * 1024, frame: defaultFrameBounds, buffered: 64 * 1024 * 1024 }

/** The wait at the end is as long as the default deadline of a call, so that every call can finish. */
export const defaultFrontLimits: FrontLimits = { ...lineLimits, drainMs: 30_000 }

/** Other MCP hosts also give a child two seconds; most need milliseconds. */
export const defaultChildLimits: ChildLimits = { ...lineLimits, stderrLine: 8 * 1024, graceMs: 2_000 }
