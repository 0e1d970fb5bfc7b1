import type { JsonObject } from '@junctor/jsonrpc'

/** All that is known of an attempt to use a backend that came to nothing. */
export interface FailedAttempt {
  /** The word in the file that chose the plugin: `command`, `url`, `plugin`. */
  readonly word: string
  /** Its options, without secrets. */
  readonly options: JsonObject
  /** `undefined`: the time was up. */
  readonly error: Error | undefined
  /** It could be spoken to before it failed. */
  readonly reached: boolean
  /** The last line that the program wrote to standard error. */
  readonly lastWords: string | undefined
  /** A line of its standard output that was no message. */
  readonly noise: string | undefined
  /** How long was waited, in milliseconds. */
  readonly waitedMs: number
  /** What of the program is on this machine. */
  readonly program: { readonly folder: boolean; readonly file: boolean }
}
