import type { AbortMessage, Dialect, Message, Notification, Request, Response } from './message.ts'
import type { Payload } from './payload.ts'
import type { RequestOptions } from './peer-request.ts'
import type { PeerStream, StreamOptions } from './peer-stream.ts'
import type { RequestId } from './request-id.ts'
import type { ResponseListener } from './response-listener.ts'
import type { WireError } from './wire-error.ts'

/** Takes what the other side starts. Must not throw. */
export interface PeerHandler {
  /** Expects exactly one `respond`, before which there may be `acknowledge` and `push`. */
  request(request: Request): void
  notification(notification: Notification): void
  /** The other side wants no more of a stream: an extension of JSON-RPC 3.0. Without this method nothing happens. */
  abort?(abort: AbortMessage): void
}

/** What a peer is made of. */
export interface PeerOptions {
  readonly handler: PeerHandler
  /**
   * Writes one message. A promise means: the other side reads slowly. When it throws, the request that was to be sent ends
   * with -32040; when the promise rejects, with -32041. What is wrong with the connection as a whole is `close`.
   */
  send(message: Message): Promise<void> | undefined
  /** What own requests and notifications are sent in. Answers are in the dialect of what they answer. Default: `2.0`. */
  readonly dialect?: Dialect | undefined
}

/** The end of a request that came from the other side. */
export type Answer = { readonly result: Payload } | { readonly error: WireError }

/** One end of a JSON-RPC connection: numbers its own requests and finds for each response who waits for it. */
export interface Peer {
  /** Own requests that wait for a response. */
  readonly pending: number
  /** Responses, acks and pieces that nobody waited for: late, forgotten, repeated, invented, or without an id. */
  readonly dropped: number
  /**
   * Sends a request. On a closed peer the listener is told at once. `options` are those of JSON-RPC 3.0, an object; in
   * 2.0 they are left out.
   */
  call(method: string, params: Payload | undefined, listener: ResponseListener, options?: Payload): RequestId
  /**
   * `call` as a promise, which rejects with the error of `close`, with the reason of the signal, or when the time is up.
   * That ends the waiting alone: telling the other side is a matter of its protocol.
   */
  request(method: string, params: Payload | undefined, options?: RequestOptions): Promise<Response>
  /**
   * Sends a request for a stream (`options.stream`, unless given, is true) and gives what comes, piece by piece. From a
   * method that does not stream, or over JSON-RPC 2.0, comes the response alone. Throws when the signal has aborted.
   */
  stream(method: string, params: Payload | undefined, options?: StreamOptions): PeerStream
  /** A promise means: wait for it before sending more. */
  notify(method: string, params: Payload | undefined, options?: Payload): Promise<void> | undefined
  /**
   * Answers a request of the other side, in its dialect and, if it asks for a stream, in stream form. An id alone is
   * answered in the dialect of this peer. A promise means: wait for it before sending more.
   */
  respond(to: Request | RequestId, answer: Answer): Promise<void> | undefined
  /** Tells that a request will be answered later, as often as wanted. JSON-RPC 2.0 has no acks: there nothing is sent. */
  acknowledge(request: Request, info?: Payload): Promise<void> | undefined
  /**
   * Sends a piece of a stream. Nothing is sent to who did not ask for a stream: the response then has to hold everything.
   * A promise means: wait for it before sending more.
   */
  push(request: Request, data: Payload): Promise<void> | undefined
  /** Stops waiting for a response, which is dropped if it still comes. False when it is not pending any more. */
  forget(id: RequestId): boolean
  /**
   * Takes a message from the other side. A promise means: a stream is read slowly; wait for it before reading more. For
   * an `Unreadable` with `answers`, give it an error response with that id: the request gets no other one.
   */
  receive(message: Message): Promise<void> | undefined
  /** Fails everything pending at once; from now on nothing is sent, and nothing that comes is taken. */
  close(error: Error): void
}
