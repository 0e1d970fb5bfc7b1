import type { Dialect, JsonValue, RequestId } from '@junctor/jsonrpc'
import type { Extensions, LogLevel, Profile, Revision } from '@junctor/protocol'

/** Where the outcome goes: on this connection, on the session's stream after a 202, or into a record to collect. */
export type Delivery = 'inline' | 'queued' | 'task'

/** A progress token, string or integer, as the client gave it. */
type ProgressToken = JsonValue

/** All that decides how one round of a request looks from outside. A renderer reads nothing else. */
export interface View {
  readonly id: RequestId
  readonly method: string
  readonly revision: Revision
  readonly dialect: Dialect
  readonly delivery: Delivery
  readonly profile: Profile
  /** How a question to the client travels: as a live request, as `input_required`, or not at all. */
  readonly asks: 'live' | 'park' | 'none'
  readonly progressToken: ProgressToken | undefined
  /** The client asked for a stream (JSON-RPC 3.0 `options.stream`): chunks go out as they come, the end in stream form. */
  readonly stream: boolean
  /** JSON-RPC 3.0 extensions that the client has negotiated. */
  readonly extensions: Extensions
  readonly logLevel: LogLevel | undefined
}
