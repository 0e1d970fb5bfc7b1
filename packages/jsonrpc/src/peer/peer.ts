import type { AbortMessage, Dialect, Message, Notification, Request, Response } from '../message/message.ts'
import type { Payload } from '../payload/payload.ts'
import type { RequestOptions } from './peer-request.ts'
import type { PeerStream, StreamOptions } from './peer-stream.ts'
import type { RequestId } from '../message/request-id.ts'
import type { ResponseListener } from './response-listener.ts'
import type { WireError } from '../message/wire-error.ts'

/** Handles messages that the other side starts. Must not throw. */
export interface PeerHandler {
  /** Called with a request, which expects exactly one `respond`. `acknowledge` and `push` may be called before it. */
  request(request: Request): void
  /** Receives one notification. */
  notification(notification: Notification): void
  /**
   * Called when the other side wants no more of a stream: an extension of JSON-RPC 3.0. Without this method it is
   * ignored.
   */
  abort?(abort: AbortMessage): void
}

/** The options of a peer. */
export interface PeerOptions {
  readonly handler: PeerHandler
  /**
   * Writes one message. A returned promise means that the other side reads slowly. When it throws, the request that was
   * being sent ends with -32040; when the promise rejects, with -32041. Report a fault of the connection with `close`.
   */
  send(message: Message): Promise<void> | undefined
  /** The dialect of own requests and notifications. Answers use the dialect of their request. Default: `2.0`. */
  readonly dialect?: Dialect | undefined
}

/** The answer to a request: its result or its error, without the id and the dialect of the message that carries it. */
export type Answer = { readonly result: Payload } | { readonly error: WireError }

/** One end of a JSON-RPC connection. It numbers its own requests, and finds the listener of each response. */
export interface Peer {
  /** The number of own requests that wait for a response. */
  readonly pending: number
  /**
   * The number of responses, acks and pieces without a waiting request: late, forgotten, repeated, invented, or without
   * an id.
   */
  readonly dropped: number
  /**
   * Sends a request. On a closed peer the listener is called immediately. `options` are those of JSON-RPC 3.0, an
   * object; they are omitted in 2.0.
   */
  call(method: string, params: Payload | undefined, listener: ResponseListener, options?: Payload): RequestId
  /**
   * Like `call`, but returns a promise. It rejects with the error of `close`, with the reason of the signal, or after
   * the time limit. This only ends the wait; notifying the other side is a matter of its protocol.
   */
  request(method: string, params: Payload | undefined, options?: RequestOptions): Promise<Response>
  /**
   * Sends a request for a stream (`options.stream` is true unless given), and returns its pieces. A method that does
   * not stream, or JSON-RPC 2.0, gives only the response. Throws when the signal has aborted.
   */
  stream(method: string, params: Payload | undefined, options?: StreamOptions): PeerStream
  /** Sends a notification. If it returns a promise, wait for it before sending more. */
  notify(method: string, params: Payload | undefined, options?: Payload): Promise<void> | undefined
  /**
   * Answers a request of the other side, in its dialect and, if it asks for a stream, in stream form. If only the id is
   * given, the dialect of this peer is used. If it returns a promise, wait for it before sending more.
   */
  respond(to: Request | RequestId, answer: Answer): Promise<void> | undefined
  /**
   * Announces that a request will be answered later. May be repeated. JSON-RPC 2.0 has no acks, so nothing is sent
   * there.
   */
  acknowledge(request: Request, info?: Payload): Promise<void> | undefined
  /**
   * Sends a piece of a stream. Nothing is sent when the request did not ask for a stream: the response then must
   * contain everything. If it returns a promise, wait for it before sending more.
   */
  push(request: Request, data: Payload): Promise<void> | undefined
  /**
   * Stops waiting for a response, which is dropped if it still arrives. Returns false when it is not pending any more.
   */
  forget(id: RequestId): boolean
  /**
   * Processes a message from the other side. A returned promise means that a stream is read slowly; wait for it before
   * reading more. For an `Unreadable` with `answers`, pass an error response with that id, because the request gets no
   * other response.
   */
  receive(message: Message): Promise<void> | undefined
  /** Fails all pending requests immediately. Afterwards nothing is sent, and received messages are ignored. */
  close(error: Error): void
}
