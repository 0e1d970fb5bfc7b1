import type { Dialect } from './message.ts'
import type { RequestId } from './request-id.ts'

/** A frame, or an entry of a batch, that is not a message. A value: what is wrong with input is never thrown. */
export interface Unreadable {
  readonly kind: 'unreadable'
  /** Not JSON; JSON that is not a message; or beyond one of the `FrameBounds`. */
  readonly situation: 'parse_error' | 'invalid_request' | 'too_large'
  /** The version that it says it has, when that could be read: what it is answered in. */
  readonly dialect: Dialect | undefined
  /**
   * The id that the error is to be answered with: set when the sender waits for an answer to it. Never the id of a
   * malformed response, which would be taken for the answer to a request of the sender's own.
   */
  readonly id: RequestId | undefined
  /**
   * The own request that this would have been the response to: it gets no other one. In JSON-RPC 3.0 also the request
   * or stream of an ack or a piece that cannot be read, since what it said is lost.
   */
  readonly answers: RequestId | undefined
  /**
   * It is never answered, because nobody waits for that: it has no id, and is not just anything (JSON-RPC 2.0 section
   * 4.1).
   */
  readonly silent: boolean
  /** The method that it names, when it is a notification. */
  readonly notification: string | undefined
  /** What was expected and what came, without any content of the frame. */
  readonly message: string
}
