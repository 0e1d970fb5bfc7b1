/** The exit codes of a process that a signal ends: 128 and the number of the signal, as in shells. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const
