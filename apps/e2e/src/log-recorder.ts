import type { Log } from '@junctor/contracts'

/** One logged record. */
export interface LogRecord {
  readonly level: keyof Log
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A log that keeps its records. */
export function createLogRecorder(): { readonly log: Log; readonly records: readonly LogRecord[] } {
  const records: LogRecord[] = []
  const keep =
    (level: keyof Log): Log['info'] =>
    (message, fields = {}) =>
      void records.push({ level, message, fields })
  return { log: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }, records }
}
