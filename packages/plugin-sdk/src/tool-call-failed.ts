import { memberOf, type WireError } from '@junctor/jsonrpc'

/**
 * Thrown by `callTool` when the other tool gave no result: it is unknown to the caller, refuses the arguments, cannot be
 * reached, took too long, or already is a part of the chain of calls. A tool that did its work and failed gives a result
 * with `isError` instead.
 */
export class ToolCallFailed extends Error {
  override readonly name = 'ToolCallFailed'
  /** The JSON-RPC code. */
  readonly code: number
  /** The situation: a name in docs/errors.md, or a word of the backend's own. Undefined: the error has none. */
  readonly reason: string | undefined

  constructor(tool: string, { code, message, data }: WireError) {
    super(`No result of ${tool}: ${message}`)
    const reason = memberOf(data?.value(), 'reason')
    this.code = code
    this.reason = typeof reason === 'string' ? reason : undefined
  }
}
