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
  /** The report is one JSON object. */
  readonly json?: true
  /** Nothing is reported but what is wrong: for a command that starts it for itself. */
  readonly quiet?: true
  readonly logLevel: LogLevel
}
