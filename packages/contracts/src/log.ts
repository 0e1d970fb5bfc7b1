/**
 * The structured log that each part receives. Messages are constant; variable data is in the fields. Never log secrets.
 */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** A log that discards every message. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
