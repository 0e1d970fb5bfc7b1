import type { JsonObject } from './json.ts'
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
  /** JSON-RPC 3.0 options; never merged into params. */
  readonly options?: JsonObject
}

/** A call that never gets a response, whatever happens (JSON-RPC 2.0 section 4.1). */
export interface Notification {
  readonly kind: 'notification'
  readonly dialect: Dialect
  readonly method: string
  readonly params: Payload | undefined
}

/** The successful end of a request. */
export interface ResultResponse {
  readonly kind: 'result'
  readonly dialect: Dialect
  readonly id: RequestId
  readonly result: Payload
}

/** The failed end of a request. `id` is undefined when the other side could not read it (`null` or absent on the wire). */
export interface ErrorResponse {
  readonly kind: 'error'
  readonly dialect: Dialect
  readonly id: RequestId | undefined
  readonly error: WireError
}

/** Either end of a request. */
export type Response = ResultResponse | ErrorResponse

/** One message, as parsed from or printed to one frame. A batch is several of them. */
export type Message = Request | Notification | Response
