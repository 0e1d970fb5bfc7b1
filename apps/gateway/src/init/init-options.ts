import type { JsonObject } from '@junctor/jsonrpc'

/** What `junctor init` was told on the command line. */
export interface InitOptions {
  /** Files of other programs. Without any, those that are found. */
  readonly from: readonly string[]
  readonly output: string
  readonly force?: true
  /** Nothing is asked: what is found is taken, all else has its default. */
  readonly yes?: true
  readonly port?: number
  readonly profile?: string
  /** As they stand under `backends`. */
  readonly backend: readonly JsonObject[]
}
