import type { Loss } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import type { ErrorDetails, Situation } from '@junctor/protocol'

/** Why a call has no result: a situation of Junctor's catalogue, or an error that came from elsewhere. */
export type CallFailure =
  | { readonly situation: Situation; readonly details: ErrorDetails }
  | {
      readonly error: {
        readonly code: number
        /** Only clients of JSON-RPC 3.0 get it. */
        readonly title?: string
        readonly message: string
        readonly data?: JsonValue
      }
    }

/**
 * Thrown by the handler of a tool, ends the call with an error of the protocol. For backends that pass calls on: the
 * server behind them cannot be reached, or gave no result. A tool that fails gives a result with `isError` instead.
 */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly failure: CallFailure
  /**
   * How the way to the server was lost: before it had received anything of the call (`unsent`), or later (`cut`). The gateway
   * then sends the call once more, if that is safe. Undefined: the server has answered.
   */
  readonly loss: Loss | undefined

  constructor(failure: CallFailure, options: ErrorOptions & { readonly loss?: Loss | undefined } = {}) {
    super('situation' in failure ? failure.situation : failure.error.message, options)
    this.failure = failure
    this.loss = options.loss
  }
}
