import type { Dialect, Message, Notification, Request, RequestId, WireError } from '@junctor/jsonrpc'
import type { Revision, Situation } from '@junctor/protocol'
import type { Caught } from './caught.ts'
import type { CallContext, Principal, EndReason, Sink } from '@junctor/exchange'
import type { Head } from './head.ts'
import type { Identity, Tenant } from './identity.ts'
import type { Postbox } from './postbox.ts'

/** Why a caller is not let in. 401 and 403 carry `WWW-Authenticate`; an unknown or foreign tenant is 404. */
export interface Challenge {
  readonly kind: 'challenge'
  readonly status: 401 | 403 | 404 | 503
  /** For whoever is to be told in another version than `error`. */
  readonly situation: Situation
  /** In JSON-RPC 2.0. */
  readonly error: WireError
  readonly headers: Readonly<Record<string, string>>
}

/** A client session: the state that an `initialize` opened, on this node or another. */
export interface Session {
  readonly id: string
  readonly tenant: Tenant
  readonly principal: Principal
  readonly revision: Revision
  /** What its requests carry. */
  readonly context: CallContext
  /** The node that holds its links. */
  readonly home: string
}

/** Where a message came from. One for each connection (stdio, WebSocket) or HTTP request. */
export interface Origin {
  readonly transport: Head['transport']
  readonly identity: Identity
  /** Set by `receive` when the message opened one: an `initialize`, or a request of JSON-RPC 3.0 that came without. */
  session: Session | undefined
  /** `MCP-Protocol-Version` of the request, if the transport has such a thing and the client sent it. */
  readonly revision: Revision | undefined
  /**
   * The dialect of the last message that was read here: what cannot be read is refused in it. Set by `receive`; `2.0`
   * until then.
   */
  dialect: Dialect
  /** The client would rather not wait (RFC 7240, `Prefer: respond-async`): 202 now, the answer on its session's stream. Absent: this transport has no such answers. */
  readonly respondAsync?: boolean
  /** A stream can go on in another place (`Sink.divert`). Absent: there is none on this transport. */
  readonly diverts?: true
}

/** Whom a refusal is for, and the version that it is said in, when that is known. */
export type Refusing = Pick<Origin, 'identity' | 'session'> & Partial<Pick<Origin, 'dialect'>>

/** A refusal that a transport sends in place of an answer, rendered for its peer. */
export interface Refusal {
  readonly status: number
  readonly text: string
}

/** The gateway, as transports see it. */
export interface Front {
  authenticate(head: Head): Identity | Challenge | Promise<Identity | Challenge>
  /** `undefined` whatever the reason: unknown, ended, another tenant's or another principal's. The answer is 404. */
  session(id: string, identity: Identity): Session | undefined | Promise<Session | undefined>
  /**
   * Takes one message. A batch is several calls with one batching sink. Never throws, never awaits. Requests are
   * answered on the sink; notifications and responses leave it alone.
   */
  receive(message: Message, from: Origin, sink: Sink): void
  /**
   * Answers a request of JSON-RPC 3.0 that shows the token of a job in place of credentials (`jobQ.authToken`): where that
   * job is, or what it came to, and nothing else. Whatever is wrong with the token, there is no such job. False: it is no
   * such request, and is left to be judged by its caller.
   *
   * @param tenant at which it is asked for
   */
  collect(request: Request, head: Pick<Head, 'header'>, tenant: string, sink: Sink): boolean
  /** Takes note of a notification that is refused, before or instead of `receive`: it is counted, and never answered. */
  ignore(notification: Pick<Notification, 'method'>, from: Pick<Origin, 'identity'>): void
  /**
   * Answers what a session's client sent and is refused before it is a message, as a request would be answered: on the
   * sink; or on the session's own stream, where its tenant's profile has the answers there.
   */
  refuseOn(sink: Sink, situation: Situation, from: Refusing, message?: string, id?: RequestId): void
  /** The session's own stream (no event id), or the rest of the stream that the event id belongs to. */
  resume(session: Session, lastEventId: string | undefined, sink: Sink): void
  /** Ends the session: its requests, its streams, its links. */
  end(session: Session, reason: EndReason): Promise<void>
  readonly postbox: Postbox
  /** Told of what a transport has caught, so that it goes on with its other clients. Of `session`, an id, only a mark is logged. */
  readonly caught: Caught
  /**
   * The error body for what a transport refuses itself: unreadable, unacceptable or too large input. With the id of the
   * request that it answers, when that could be read.
   */
  refuse(situation: Situation, from: Partial<Refusing> | undefined, message?: string, id?: RequestId): Refusal
}
