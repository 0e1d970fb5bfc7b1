/**
 * The structured log that each part receives. Messages are constant; variable data is in the fields. Never log secrets.
 */
export interface Log {
  /** Details for the search for a fault. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** A change that an operator wants to know of. */
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Something failed that was handled, or that may fail soon. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Something failed that an operator must repair. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** A log that discards every message. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
