import type { Payload } from '../payload/payload.ts'

/** An error of the protocol: a value, never thrown (JSON-RPC 2.0 section 5.1). */
export interface WireError {
  /** An integer. The error catalogue defines each code that Junctor itself sends. */
  readonly code: number
  readonly message: string
  /** JSON-RPC 3.0's short name of the situation; omitted in 2.0. */
  readonly title?: string
  readonly data?: Payload
  /** The HTTP status for this error when the response is the entire HTTP answer. It is never part of the message. */
  readonly status?: number
}
