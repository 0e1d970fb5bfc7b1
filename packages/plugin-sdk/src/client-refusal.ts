import type { WireError } from '@junctor/jsonrpc'

/**
 * Thrown where a handler asked the client something and got no answer: the client cannot be asked such things, refused,
 * took too long, or is gone. Left uncaught it becomes the tool's error.
 */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal'
  /** The JSON-RPC code that came back: -32601 for a client without the feature. */
  readonly code: number

  constructor(method: string, error: WireError) {
    super(`No answer to ${method}: ${error.message}`)
    this.code = error.code
  }
}
