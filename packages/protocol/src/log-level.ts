/** Severity of `notifications/message`, lowest first (RFC 5424). */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

/** A level of `logging/setLevel`, as in RFC 5424. */
export type LogLevel = (typeof logLevels)[number]

/** Whether a value is the name of a log level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value)
}

/** Whether a message of `level` is sent to a client that requested `wanted` and above. */
export function reachesLevel(level: LogLevel, wanted: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(wanted)
}
