import type { LogLevel } from '@junctor/telemetry'

/** What `junctor serve` was told on the command line. */
export interface ServeOptions {
  /** A file. Default: the one beside you, else the demo. */
  readonly config?: string
  /** One client on standard input and output, instead of HTTP. */
  readonly stdio?: true
  /** Wins over the configuration. */
  readonly host?: string
  /** Wins over the configuration. */
  readonly port?: number
  /** Where the admin port is. Wins over the configuration, and opens one where that has none. */
  readonly adminPort?: number
  /** The report is one JSON object. */
  readonly json?: true
  /** For a command that starts it for itself: nothing is reported but what is wrong, and there is no admin port. */
  readonly quiet?: true
  readonly logLevel: LogLevel
}
