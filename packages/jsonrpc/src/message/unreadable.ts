import type { Dialect } from './message.ts'
import type { RequestId } from './request-id.ts'

/** A frame, or an entry of a batch, that is not a message. It is a value: faults of input are never thrown. */
export interface Unreadable {
  readonly kind: 'unreadable'
  /** Not JSON; JSON that is not a message; or above one of the `FrameBounds`. */
  readonly situation: 'parse_error' | 'invalid_request' | 'too_large'
  /** The version that it names, when it could be read. It is answered in this version. */
  readonly dialect: Dialect | undefined
  /**
   * The id for the error response: set when the sender expects an answer. Never the id of a malformed response, because
   * the sender would take the error for the answer to one of its own requests. A message with neither a method nor an
   * outcome has this id and `answers`: it may be a request or a response.
   */
  readonly id: RequestId | undefined
  /**
   * The own request that this message should have answered, if there is one: it gets no other response. In JSON-RPC 3.0
   * also the request or stream of an unreadable ack or piece, because its content is lost.
   */
  readonly answers: RequestId | undefined
  /**
   * It is never answered, because its sender expects no answer: it is an ack (JSON-RPC 3.0 section 5.3), or has no id and
   * is recognisable as a message (2.0 section 4.1).
   */
  readonly silent: boolean
  /** The method that it names, when it is a notification. */
  readonly notification: string | undefined
  /** What was expected and what was received, without any content of the frame. */
  readonly message: string
}
