/** What the command's exit code says. Each command's `--help` tells those that it has. */
export const exitCodes = {
  /** Ended as it was asked to: a signal, the end of standard input. */
  done: 0,
  /** Failed while it ran. */
  failed: 1,
  /** The command line cannot be used. */
  usage: 2,
  /** The configuration cannot be used. */
  config: 3,
  /** The address to listen on is not to be had. */
  listen: 4,
  /** A backend cannot be used. */
  backend: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
