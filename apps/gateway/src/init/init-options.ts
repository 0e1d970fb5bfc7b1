import type { JsonObject } from '@junctor/jsonrpc'

/** The options of `junctor init` on the command line. */
export interface InitOptions {
  /** Files of other programs. Empty: the files that are found. */
  readonly from: readonly string[]
  readonly output: string
  readonly force?: true
  /** No questions: all found servers are taken, and everything else has its default. */
  readonly yes?: true
  readonly port?: number
  readonly profile?: string
  /** Backends as they are written under `backends` in the configuration. */
  readonly backend: readonly JsonObject[]
}
