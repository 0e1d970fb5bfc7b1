import type { JsonObject } from '@junctor/jsonrpc'
import type { Extensions, Revision } from '@junctor/protocol'

/** Who calls, as an authenticator vouched for it. Two principals are the same when their `key` is the same. */
export interface Principal {
  /** Who vouches: an issuer URL, `api-key`, or `local` for loopback and stdio without authentication. */
  readonly issuer: string
  /** The subject or client id at that issuer. */
  readonly subject: string
  /** Issuer and subject in one string that no other pair has: what sessions, links and stores are bound to. */
  readonly key: string
}

/** The client program at the far end, as it presented itself. */
export interface ClientDescription {
  /** `clientInfo` as it came. */
  readonly info: JsonObject
  /** `capabilities` as they came; nothing may be asked of the client that they do not declare. */
  readonly capabilities: JsonObject
}

/** What stays the same for all requests of one session or scope, and travels with a request between nodes. */
export interface CallContext {
  readonly tenant: string
  readonly principal: Principal
  /** Absent for calls that belong to no session. */
  readonly session: string | undefined
  /** The revision that the client speaks. */
  readonly revision: Revision
  readonly client: ClientDescription
  /** JSON-RPC 3.0 extensions that the client has negotiated. Absent: none. */
  readonly extensions?: Extensions
  /** The job that a request is run for, away from whoever sent it. Absent: none. */
  readonly job?: string
  /**
   * W3C `traceparent` of the request, the caller's or one that the gateway started; its trace id is the digits 3 to 34.
   * Undefined outside of requests.
   */
  readonly trace: string | undefined
}
