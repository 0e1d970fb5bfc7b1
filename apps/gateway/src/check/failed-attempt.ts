import type { JsonObject } from '@junctor/jsonrpc'

/** Everything that is known about a failed attempt to use a backend. */
export interface FailedAttempt {
  /** The key in the file that chose the plugin: `command`, `url`, `plugin`. */
  readonly word: string
  /** Its options, without secrets. */
  readonly options: JsonObject
  /** `undefined`: the attempt timed out. */
  readonly error: Error | undefined
  /** Whether the handshake succeeded before the failure. */
  readonly reached: boolean
  /** The last line that the program wrote to standard error. */
  readonly lastWords: string | undefined
  /** A line of its standard output that was not a message. */
  readonly noise: string | undefined
  /** How long the check waited, in milliseconds. */
  readonly waitedMs: number
  /** Which parts of the program exist on this machine. */
  readonly program: { readonly folder: boolean; readonly file: boolean }
}
