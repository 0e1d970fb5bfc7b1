import type { Payload } from '../payload/payload.ts'
import type { RequestId } from './request-id.ts'
import type { WireError } from './wire-error.ts'

/** The version of a message: JSON-RPC 2.0, or the 3.0 draft with acks, streams and options. */
export type Dialect = '2.0' | '3.0'

/** A call that expects exactly one response. */
export interface Request {
  readonly kind: 'request'
  readonly dialect: Dialect
  readonly id: RequestId
  readonly method: string
  /** If present, always an object or an array (JSON-RPC 2.0 section 4.2). */
  readonly params: Payload | undefined
  /** JSON-RPC 3.0 options, an object; never merged into params. */
  readonly options?: Payload
}

/**
 * Whether a request asks for a stream: `options.stream` is true, or an object with members of extensions (JSON-RPC 3.0
 * section 4.2).
 */
export function wantsStream({ options }: Pick<Request, 'options'>): boolean {
  if (options === undefined) return false
  const { stream } = options.value() as { readonly stream?: unknown }
  return stream === true || (typeof stream === 'object' && stream !== null)
}

/** A call that never gets a response (JSON-RPC 2.0 section 4.1). */
export interface Notification {
  readonly kind: 'notification'
  readonly dialect: Dialect
  readonly method: string
  readonly params: Payload | undefined
  /** JSON-RPC 3.0 options, an object. */
  readonly options?: Payload
}

/** The successful end of a request. */
export interface ResultResponse {
  readonly kind: 'result'
  readonly dialect: Dialect
  readonly id: RequestId
  readonly result: Payload
  /** In stream form (JSON-RPC 3.0 section 6): the id is inside `stream`. */
  readonly stream?: true
}

/**
 * The failed end of a request. `id` is undefined when the other side could not read it: it is absent, or it is `null`.
 * In JSON-RPC 3.0, `null` is read as an id.
 */
export interface ErrorResponse {
  readonly kind: 'error'
  readonly dialect: Dialect
  readonly id: RequestId | undefined
  readonly error: WireError
  /** In stream form (JSON-RPC 3.0 section 6): the id is inside `stream`. */
  readonly stream?: true
}

/** The end of a request: successful or failed. */
export type Response = ResultResponse | ErrorResponse

/**
 * Announces that a request will be answered later; may be repeated (JSON-RPC 3.0 sections 5.3 and 6.5). Never answered.
 */
export interface AckMessage {
  readonly kind: 'ack'
  readonly dialect: '3.0'
  /** The request that is acknowledged. */
  readonly id: RequestId
  /** The ack of a stream request: its id is inside `ack`. */
  readonly stream?: true
  /** The members of the ack besides the id: progress, a job, another stream. Undefined when there are none. */
  readonly info: Payload | undefined
}

/** A piece of a streamed result (JSON-RPC 3.0 section 6.1). */
export interface ChunkMessage {
  readonly kind: 'chunk'
  readonly dialect: '3.0'
  /** The stream: the id of the request, unless an ack has named another id. */
  readonly id: RequestId
  readonly data: Payload
}

/**
 * Requests the end of a stream (JSON-RPC 3.0 section 4.2, `{"options":{"stream":id,"abort":true}}`). Never answered.
 */
export interface AbortMessage {
  readonly kind: 'abort'
  readonly dialect: '3.0'
  readonly id: RequestId
}

/** Messages that a request may receive before its response, only in JSON-RPC 3.0. */
export type PartialResponse = AckMessage | ChunkMessage

/** One message, as parsed from or printed to one frame. A batch contains several. */
export type Message = Request | Notification | Response | PartialResponse | AbortMessage
