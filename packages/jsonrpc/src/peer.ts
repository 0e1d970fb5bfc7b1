import type { Message, Notification, Request, Response } from './message.ts'
import type { Payload } from './payload.ts'
import { Pending } from './pending.ts'
import type { RequestId } from './request-id.ts'
import type { WireError } from './wire-error.ts'

/** The end of a request whose connection was closed before its response came. */
export interface Closed {
  readonly kind: 'closed'
  readonly error: Error
}

/** Waits for one response. An object instead of a promise or closure: callers that keep state for a call pass that. */
export interface ResponseListener {
  /** Called exactly once, unless the request is forgotten; perhaps before `call` has returned. Must not throw. */
  settled(end: Response | Closed): void
}

/** Takes what the other side starts. Must not throw. */
export interface PeerHandler {
  /** Expects exactly one `respond` with the id of the request. */
  request(request: Request): void
  notification(notification: Notification): void
}

export interface PeerOptions {
  readonly handler: PeerHandler
  /** Writes one message. A promise means: the other side reads slowly. Neither throws nor rejects; failure is `close`. */
  send(message: Message): Promise<void> | undefined
}

/** One end of a JSON-RPC connection: numbers its own requests and finds for each response who waits for it. */
export interface Peer {
  /** Own requests that wait for a response. */
  readonly pending: number
  /** Responses that nobody waited for: late, forgotten, repeated, invented, or without an id. */
  readonly dropped: number
  /** Sends a request. On a closed peer the listener is told at once. */
  call(method: string, params: Payload | undefined, listener: ResponseListener): RequestId
  /**
   * `call` as a promise, which rejects with the error of `close`, or with the reason of the signal. The signal only ends
   * the waiting: telling the other side is a matter of its protocol.
   */
  request(method: string, params: Payload | undefined, signal?: AbortSignal): Promise<Response>
  /** A promise means: wait for it before sending more. */
  notify(method: string, params: Payload | undefined): Promise<void> | undefined
  /** Answers a request of the other side. A promise means: wait for it before sending more. */
  respond(
    id: RequestId,
    answer: { readonly result: Payload } | { readonly error: WireError },
  ): Promise<void> | undefined
  /** Stops waiting for a response, which is dropped if it still comes. False when it is not pending any more. */
  forget(id: RequestId): boolean
  /**
   * Takes a message from the other side. For an `Unreadable` with `answers`, give it an error response with that id:
   * the request gets no other one.
   */
  receive(message: Message): void
  /** Fails everything pending at once; from now on nothing is sent, and nothing that comes is taken. */
  close(error: Error): void
}

/** Makes one end of a connection. Its messages are JSON-RPC 2.0, its ids count from 1. */
export function createPeer(options: PeerOptions): Peer {
  return new NumberingPeer(options)
}

class NumberingPeer implements Peer {
  dropped = 0
  readonly #options: PeerOptions
  #lastId = 0
  #listeners = new Pending<ResponseListener>()
  #closed: Closed | undefined

  constructor(options: PeerOptions) {
    this.#options = options
  }

  get pending(): number {
    return this.#listeners.size
  }

  call(method: string, params: Payload | undefined, listener: ResponseListener): RequestId {
    const id = String(++this.#lastId) as RequestId
    if (this.#closed !== undefined) {
      listener.settled(this.#closed)
      return id
    }
    this.#listeners.set(id, listener)
    void this.#options.send({ kind: 'request', dialect: '2.0', id, method, params })
    return id
  }

  async request(method: string, params: Payload | undefined, signal?: AbortSignal): Promise<Response> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const id = this.call(method, params, {
      settled(end) {
        if (end.kind === 'closed') reject(end.error)
        else resolve(end)
      },
    })
    if (signal === undefined || !this.#listeners.has(id)) return promise
    const abort = (): void => {
      this.forget(id)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', abort)
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  notify(method: string, params: Payload | undefined): Promise<void> | undefined {
    return this.#send({ kind: 'notification', dialect: '2.0', method, params })
  }

  respond(
    id: RequestId,
    answer: { readonly result: Payload } | { readonly error: WireError },
  ): Promise<void> | undefined {
    return this.#send(
      'result' in answer
        ? { kind: 'result', dialect: '2.0', id, result: answer.result }
        : { kind: 'error', dialect: '2.0', id, error: answer.error },
    )
  }

  forget(id: RequestId): boolean {
    return this.#listeners.take(id) !== undefined
  }

  receive(message: Message): void {
    switch (message.kind) {
      case 'request':
        if (this.#closed === undefined) this.#options.handler.request(message)
        break
      case 'notification':
        if (this.#closed === undefined) this.#options.handler.notification(message)
        break
      case 'result':
      case 'error':
        this.#settle(message)
        break
    }
  }

  close(error: Error): void {
    if (this.#closed !== undefined) return
    this.#closed = { kind: 'closed', error }
    const listeners = this.#listeners
    this.#listeners = new Pending()
    for (const listener of listeners.values()) listener.settled(this.#closed)
  }

  #send(message: Message): Promise<void> | undefined {
    return this.#closed === undefined ? this.#options.send(message) : undefined
  }

  #settle(response: Response): void {
    const { id } = response
    // A peer may give 1 back as 1.0, which is the same number.
    const own = id !== undefined && this.#listeners.has(id) ? id : (String(Number(id)) as RequestId)
    const listener = this.#listeners.take(own)
    if (listener === undefined) this.dropped++
    else listener.settled(response)
  }
}
