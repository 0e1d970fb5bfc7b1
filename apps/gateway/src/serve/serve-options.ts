import type { ProcessLogLevel } from '@junctor/telemetry/log-levels'

/** The options of `junctor serve` on the command line. */
export interface ServeOptions {
  /** The configuration file. Default: the file of the current folder, else the demo. */
  readonly config?: string
  /** Where relative paths of the configuration file start. Default: the folder of the file. */
  readonly folder?: string
  /** Serves one client on standard input and output, instead of HTTP. */
  readonly stdio?: true
  /** Overrides the configuration. */
  readonly host?: string
  /** Overrides the configuration. */
  readonly port?: number
  /** The admin port. Overrides the configuration, and opens a port when the configuration has none. */
  readonly adminPort?: number
  /** Reports as one JSON object. */
  readonly json?: true
  /** For a command that starts its own gateway: reports only problems, and opens no admin port. */
  readonly quiet?: true
  readonly logLevel: ProcessLogLevel
}
