/** The possible levels, from all messages to none. */
export const processLogLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** One of the {@link processLogLevels}. */
export type ProcessLogLevel = (typeof processLogLevels)[number]
