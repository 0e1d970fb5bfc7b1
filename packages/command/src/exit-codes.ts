/** The exit codes of the commands. The `--help` of each command lists those that it uses. */
export const exitCodes = {
  /** Ended on request: a signal, or the end of standard input. */
  done: 0,
  /** Failed while it ran. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** The configuration is invalid. */
  config: 3,
  /** The address to listen on is not available. */
  listen: 4,
  /** A backend cannot be used. */
  backend: 5,
} as const

/** One of the {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
