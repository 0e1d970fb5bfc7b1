/** Thrown in a test when a request was answered with an error, or was cancelled. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** The JSON-RPC code; `undefined` when the request was cancelled. */
  readonly code: number | undefined
  readonly data: unknown

  constructor(message: string, code?: number, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
