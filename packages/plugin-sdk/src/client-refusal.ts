import type { WireError } from '@junctor/jsonrpc'

/**
 * Thrown by `elicit`, `sample` and `roots` when the client gives no answer: the client lacks the capability, refuses,
 * takes too long, or has disconnected. When the handler does not catch it, it becomes the tool's error.
 */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal'
  /** The JSON-RPC code of the client's answer: -32601 for a client without the capability. */
  readonly code: number

  constructor(method: string, error: WireError) {
    super(`No answer to ${method}: ${error.message}`)
    this.code = error.code
  }
}
