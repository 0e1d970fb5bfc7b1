import type { Payload } from './payload.ts'
import type { RequestId } from './request-id.ts'
import type { WireError } from './wire-error.ts'

/** The version member of a message: JSON-RPC 2.0, or the 3.0 draft with acks, streams and options. */
export type Dialect = '2.0' | '3.0'

/** A call that expects exactly one response. */
export interface Request {
  readonly kind: 'request'
  readonly dialect: Dialect
  readonly id: RequestId
  readonly method: string
  /** Always an object or an array when present (JSON-RPC 2.0 section 4.2). */
  readonly params: Payload | undefined
  /** JSON-RPC 3.0 options, an object; never merged into params. */
  readonly options?: Payload
}

/** Whether a request asks for a stream: `options.stream` is true, or an object with what extensions say (JSON-RPC 3.0 section 4.2). */
export function wantsStream({ options }: Pick<Request, 'options'>): boolean {
  if (options === undefined) return false
  const { stream } = options.value() as { readonly stream?: unknown }
  return stream === true || (typeof stream === 'object' && stream !== null)
}

/** A call that never gets a response, whatever happens (JSON-RPC 2.0 section 4.1). */
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
  /** In stream form (JSON-RPC 3.0 section 6): the id stands inside `stream`. */
  readonly stream?: true
}

/**
 * The failed end of a request. `id` is undefined when the other side could not read it: absent on the wire, or `null`,
 * which in JSON-RPC 3.0 is read as the id that it may be.
 */
export interface ErrorResponse {
  readonly kind: 'error'
  readonly dialect: Dialect
  readonly id: RequestId | undefined
  readonly error: WireError
  /** In stream form (JSON-RPC 3.0 section 6): the id stands inside `stream`. */
  readonly stream?: true
}

/** Either end of a request. */
export type Response = ResultResponse | ErrorResponse

/** A sign that a request will be answered later; may be repeated (JSON-RPC 3.0 sections 5.3 and 6.5). Never answered. */
export interface AckMessage {
  readonly kind: 'ack'
  readonly dialect: '3.0'
  /** The request that is acknowledged. */
  readonly id: RequestId
  /** The ack of a stream request: its id stands inside `ack`. */
  readonly stream?: true
  /** What the ack says besides the id: progress, a job, another stream. Undefined when it is empty. */
  readonly info: Payload | undefined
}

/** A piece of a streamed result (JSON-RPC 3.0 section 6.1). */
export interface ChunkMessage {
  readonly kind: 'chunk'
  readonly dialect: '3.0'
  /** The stream: the id of the request, unless an ack has named another one. */
  readonly id: RequestId
  readonly data: Payload
}

/** Asks for the end of a stream (JSON-RPC 3.0 section 4.2, `{"options":{"stream":id,"abort":true}}`). Never answered. */
export interface AbortMessage {
  readonly kind: 'abort'
  readonly dialect: '3.0'
  readonly id: RequestId
}

/** What a request hears before its response, in JSON-RPC 3.0 alone. */
export type PartialResponse = AckMessage | ChunkMessage

/** One message, as parsed from or printed to one frame. A batch is several of them. */
export type Message = Request | Notification | Response | PartialResponse | AbortMessage
