import type { Dialect, JsonObject, Message, Notification, Request, RequestId, WireError } from '@junctor/jsonrpc'
import type { Revision, Situation } from '@junctor/protocol'
import type { ErrorReporter } from './error-reporter.ts'
import type { CallContext, Principal, EndReason, Sink } from '@junctor/exchange'
import type { WatchCredentials } from './credentials-watch.ts'
import type { Head } from './head.ts'
import type { Identity, Tenant } from './identity.ts'
import type { MessageEndpoints } from './message-endpoints.ts'

/** Why a caller is refused. 401 and 403 carry `WWW-Authenticate`; an unknown or foreign tenant is 404. */
export interface Challenge {
  readonly kind: 'challenge'
  readonly status: 401 | 403 | 404 | 503
  /** The situation, for a transport that must render the refusal in a different version than `error`. */
  readonly situation: Situation
  /** The error in JSON-RPC 2.0. */
  readonly error: WireError
  /** Whether its id is null: revisions from 2025-11-25 on have no null ids, so that it has none. Default: true. */
  readonly nullId?: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** A client session: the state that an `initialize` opened, on this node or another. */
export interface Session {
  readonly id: string
  readonly tenant: Tenant
  readonly principal: Principal
  readonly revision: Revision
  /** The context of its requests. */
  readonly context: CallContext
  /** The home node: the node that holds its links. */
  readonly home: string
}

/** The source of a message. One for each connection (stdio, WebSocket) or HTTP request. */
export interface Origin {
  readonly transport: Head['transport']
  readonly identity: Identity
  /**
   * Set by `receive` when the message opened a session: an `initialize`, or a request of JSON-RPC 3.0 without a
   * session.
   */
  session: Session | undefined
  /** `MCP-Protocol-Version` of the request, if the transport carries this header and the client sent it. */
  readonly revision: Revision | undefined
  /**
   * The dialect of the last message that was read from this origin. An unreadable message is refused in it. Set by
   * `receive`; `2.0` until then.
   */
  dialect: Dialect
  /**
   * The client prefers an asynchronous answer (RFC 7240, `Prefer: respond-async`): 202 now, and the answer on the
   * stream of its session. Absent: this transport has no asynchronous answers.
   */
  readonly respondAsync?: boolean
  /**
   * The headers of the request that the message came in; from 2026-07-28 on they repeat members of the message. Absent: this
   * transport has no headers for each message.
   */
  readonly headers?: Pick<Head, 'header'>
  /** A stream can continue in a different place (`Sink.redirect`). Absent: this transport has no other place. */
  readonly redirects?: true
}

/** Where a refusal goes, and the versions of its request when they are known. */
export type RefusalTarget = Pick<Origin, 'identity' | 'session'> & Partial<Pick<Origin, 'dialect' | 'revision'>>

/** A refusal that a transport sends instead of an answer, rendered for its peer. */
export interface Refusal {
  readonly status: number
  readonly text: string
}

/** The gateway, as transports see it. */
export interface Front {
  /** Judges who sends a request, by its head alone. */
  authenticate(head: Head): Identity | Challenge | Promise<Identity | Challenge>
  /** Absent: credentials are good until they expire. */
  readonly watch?: WatchCredentials
  /**
   * The metadata of an endpoint as a protected resource (RFC 9728), by the tenant of its path. `undefined`: clients must know
   * where they get tokens. Absent: the same for every endpoint.
   *
   * @param path of the request for them, which tells whether the endpoint is one of HTTP+SSE
   */
  metadata?(tenant: string | undefined, path: string): JsonObject | undefined
  /**
   * Returns `undefined` for every reason: the session is unknown, ended, or belongs to another tenant or principal. The
   * transport answers 404.
   */
  session(id: string, identity: Identity): Session | undefined | Promise<Session | undefined>
  /**
   * Processes one message. For a batch, the transport calls it once per entry with one batching sink. Never throws,
   * never awaits. Requests are answered on the sink; notifications and responses do not use the sink.
   *
   * @returns a promise for a notification or a response that concerns another node: whether that node has it. A
   *   transport that confirms messages (202) confirms this one when it is true. False: perhaps not, ask again. It never
   *   rejects.
   */
  receive(message: Message, from: Origin, sink: Sink): Promise<boolean> | undefined
  /**
   * Answers a request of JSON-RPC 3.0 that carries the token of a job instead of credentials (`jobQ.authToken`): the
   * state or the outcome of that job, and nothing else. Every fault of the token gives the same answer: there is no
   * such job. Returns false when the request carries no such token; then the caller must process it.
   *
   * @param tenant the tenant of the request's path
   */
  collect(request: Request, head: Pick<Head, 'header'>, tenant: string, sink: Sink): boolean
  /** Counts a notification that is refused before or instead of `receive`. It is never answered. */
  ignore(notification: Pick<Notification, 'method'>, from: Pick<Origin, 'identity'>): void
  /**
   * Refuses input of a session's client that is not a message, in the place where a request would be answered: on the
   * sink, or on the session's own stream if the profile of the tenant sends answers there.
   */
  refuseOn(sink: Sink, situation: Situation, from: RefusalTarget, message?: string, id?: RequestId): void
  /** Opens the session's own stream (no event id), or the rest of the stream that the event id belongs to. */
  resume(session: Session, lastEventId: string | undefined, sink: Sink): void
  /** The client sends nothing more, so it answers no question: all that are open, and all that come, fail. */
  silence(session: Session): void
  /** Ends the session with its requests, streams and links. */
  end(session: Session, reason: EndReason): Promise<void>
  readonly messageEndpoints: MessageEndpoints
  /**
   * Called with an error that a transport has caught, so that the transport continues to serve its other clients. Only
   * a mark of `session`, an id, is logged.
   */
  readonly reportError: ErrorReporter
  /**
   * Returns the error body for input that the transport refuses itself: unreadable, unacceptable or too large. It
   * carries the id of the request when the id could be read.
   */
  refuse(situation: Situation, from: Partial<RefusalTarget> | undefined, message?: string, id?: RequestId): Refusal
}
