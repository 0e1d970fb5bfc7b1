import type { JsonObject } from '@junctor/jsonrpc'

/** What the sender of an error knows beyond the situation. Everything here reaches the peer. */
export interface ErrorDetails {
  /** Instead of the catalogue's message, unless the error is bare: what was expected and what came. */
  readonly message?: string
  /** The tool, prompt, URI or method that the error is about; part of the catalogue's message and of `data`. */
  readonly name?: string
  /** The backend that failed. */
  readonly backend?: string
  /** More members for `data`. */
  readonly data?: JsonObject
}
