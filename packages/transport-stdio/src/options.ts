import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'

/** What bounds a line-framed connection, whichever side of it this is. */
export interface LineLimits {
  /** Bytes of one line that is read. A longer one is dropped; the connection goes on. */
  readonly line: number
  /** What the message in a line may be. */
  readonly frame: FrameBounds
  /** Characters that may wait for a reader that does not read. More ends the connection. */
  readonly buffered: number
}

/** What bounds standard input and output on the front side. */
export interface FrontLimits extends LineLimits {
  /** How long, at the end of the input, answers that are under way are waited for, in milliseconds. */
  readonly drainMs: number
}

/** What bounds a child process. */
export interface ChildLimits extends LineLimits {
  /** Characters of one line of the child's stderr that are logged. */
  readonly stderrLine: number
  /** How long a child may take to end: once after its input is closed, once more after SIGTERM. In milliseconds. */
  readonly graceMs: number
}

/**
 * A line of 10 MiB is what the official SDKs take. 64 Mi characters unread are a reader that has stopped: input is not
 * read while the output waits, so only answers that were asked for before can gather.
 */
const lineLimits: LineLimits = { line: 10 * 1024 * 1024, frame: defaultFrameBounds, buffered: 64 * 1024 * 1024 }

/** The wait at the end is as long as the default deadline of a call: what can be answered, is. */
export const defaultFrontLimits: FrontLimits = { ...lineLimits, drainMs: 30_000 }

/** Two seconds are what MCP's other hosts give a child; most need milliseconds. */
export const defaultChildLimits: ChildLimits = { ...lineLimits, stderrLine: 8 * 1024, graceMs: 2_000 }
