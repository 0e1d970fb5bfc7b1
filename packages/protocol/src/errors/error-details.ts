import type { JsonObject } from '@junctor/jsonrpc'

/** The data that the sender of an error adds to the situation. All of it is sent to the peer. */
export interface ErrorDetails {
  /** Replaces the catalogue's message, unless the error is bare: what was expected and what was received. */
  readonly message?: string
  /** The tool, prompt, URI or method that the error is about. It is part of the catalogue's message and of `data`. */
  readonly name?: string
  /** The backend that failed. */
  readonly backend?: string
  /** Additional members of `data`. */
  readonly data?: JsonObject
}
