import type { JsonObject } from '@junctor/jsonrpc'
import type { Extensions, Revision } from '@junctor/protocol'

/** A caller that an authenticator has verified. Two principals are equal when their `key` is equal. */
export interface Principal {
  /**
   * The party that verifies the caller: an issuer URL, `api-key`, or `local` for loopback and stdio without
   * authentication.
   */
  readonly issuer: string
  /** The subject or client id at that issuer. */
  readonly subject: string
  /** Issuer and subject in one string, unique for each pair. Sessions, links and stores are bound to it. */
  readonly key: string
}

/** How a request came to the gateway. */
export type TransportName = 'http' | 'stdio' | 'websocket' | 'nats'

/** The client program, as it described itself. */
export interface ClientDescription {
  /** `clientInfo`, unchanged. */
  readonly info: JsonObject
  /** `capabilities`, unchanged. The client must not be asked for anything that they do not declare. */
  readonly capabilities: JsonObject
}

/** The data that all requests of one session or scope share. It is sent with a request to other nodes. */
export interface CallContext {
  readonly tenant: string
  readonly principal: Principal
  /** Absent for calls without a session. */
  readonly session: string | undefined
  /** The transport that the client uses. Absent: the gateway itself asks. */
  readonly transport?: TransportName
  /** The revision of the client. */
  readonly revision: Revision
  readonly client: ClientDescription
  /** JSON-RPC 3.0 extensions that the client has negotiated. Absent: none. */
  readonly extensions?: Extensions
  /**
   * Of the scopes that single tools need, those of the caller's token. Absent: scopes do not limit the caller. It belongs to
   * the request: the client of a session may get a token with more of them.
   */
  readonly scopes?: readonly string[]
  /**
   * The access token with which the caller sent the request, sealed for the nodes: `sealCallerToken` of contracts. Like
   * `scopes` it belongs to the request. Absent: no backend of the tenant takes it, or the caller has none.
   */
  readonly callerToken?: string
  /** The job that a request runs for, independent of the client that sent it. Absent: no job. */
  readonly job?: string
  /** The request was counted against the rates of its tenant when it was submitted as a job. Absent: it was not. */
  readonly counted?: true
  /** The task at the backend that the job continues. Absent: the job calls the tool. */
  readonly backendTask?: string
  /**
   * The W3C `traceparent` of the request, from the caller or created by the gateway; characters 3 to 34 are its trace
   * id. Undefined outside of requests.
   */
  readonly trace: string | undefined
  /**
   * The tools whose calls led to this request, outermost first, as `backend:tool`. Absent: it is a client's own request.
   * It travels with the request, so that every node finds a cycle.
   */
  readonly chain?: readonly string[]
}
