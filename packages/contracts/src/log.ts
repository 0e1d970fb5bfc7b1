/** Structured logging, as every part is given it. Messages are constant; what varies is in the fields. Never secrets. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Where nobody listens. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
