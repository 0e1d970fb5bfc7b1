/**
 * The largest frame, in bytes: 32 MiB. That is twice the default limit of fronts, and half of what a server buffers for
 * a connection by default before it closes it.
 */
export const frameLimit = 33_554_432

/** The error message for the sender of a larger frame. */
export const frameLimitMessage: string = `Expects at most ${frameLimit / 1_048_576} MiB between nodes, got more`
