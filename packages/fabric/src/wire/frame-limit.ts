/**
 * The largest frame, in bytes: 32 MiB. That is twice the default limit of fronts, and half of what a server buffers for
 * a connection by default before it closes it.
 */
export const frameLimit = 33_554_432

/** The error messages for the sender of a larger frame: to another node, and over the pipe of a plugin's process. */
export const frameLimitMessages: { readonly nodes: string; readonly pipe: string } = {
  nodes: `Expects at most ${frameLimit / 1_048_576} MiB between nodes, got more`,
  pipe: `Expects at most ${frameLimit / 1_048_576} MiB to and from a plugin in a process of its own, got more`,
}
