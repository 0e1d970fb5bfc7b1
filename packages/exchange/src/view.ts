import type { Dialect, JsonValue, RequestId } from '@junctor/jsonrpc'
import type { Extensions, Profile, Revision } from '@junctor/protocol'

/** A progress token, string or integer, unchanged. */
type ProgressToken = JsonValue

/** All data that decides how one round of a request is rendered. A renderer reads nothing else. */
export interface View {
  readonly id: RequestId
  readonly method: string
  readonly revision: Revision
  readonly dialect: Dialect
  readonly profile: Profile
  /** Whether a request to the client is sent to it. From 2026-07-28 on a client gets no requests. */
  readonly asks: 'live' | 'none'
  readonly progressToken: ProgressToken | undefined
  /**
   * The client asked for a stream (JSON-RPC 3.0 `options.stream`): chunks are sent immediately, and the end is in
   * stream form.
   */
  readonly stream: boolean
  /** JSON-RPC 3.0 extensions that the client has negotiated. */
  readonly extensions: Extensions
}
