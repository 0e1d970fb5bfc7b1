import type { Payload } from './payload.ts'

/** An error as it crosses the wire: a value, never thrown (JSON-RPC 2.0 section 5.1). */
export interface WireError {
  /** An integer. The meaning of each code that Junctor itself sends is in the error catalogue. */
  readonly code: number
  readonly message: string
  /** JSON-RPC 3.0's short name of the situation; left out in 2.0. */
  readonly title?: string
  readonly data?: Payload
  /** The HTTP status this error asks for when the response is the whole HTTP answer. Never on the wire. */
  readonly status?: number
}
