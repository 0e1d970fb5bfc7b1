import { edit } from '../payload/edit.ts'
import {
  type AckMessage,
  type ChunkMessage,
  type Dialect,
  type Message,
  type Request,
  type Response,
  wantsStream,
} from '../message/message.ts'
import { payloadFromText, payloadOf, type Payload } from '../payload/payload.ts'
import type { Answer, Peer, PeerOptions } from './peer.ts'
import { PeerRequest, type RequestOptions } from './peer-request.ts'
import { type PeerStream, QueuedStream, type StreamOptions } from './peer-stream.ts'
import { Pending } from './pending.ts'
import { numberedId, type RequestId } from '../message/request-id.ts'
import type { Closed, ResponseListener } from './response-listener.ts'
import { StreamNames } from './stream-names.ts'
import type { WireError } from '../message/wire-error.ts'

/** Creates one end of a connection. Its ids count from 1. */
export function createPeer(options: PeerOptions): Peer {
  return new NumberingPeer(options)
}

class NumberingPeer implements Peer {
  dropped = 0
  readonly #options: PeerOptions
  readonly #dialect: Dialect
  /** Created when an ack first names a stream. */
  #names: StreamNames | undefined
  #lastId = 0
  #listeners = new Pending<ResponseListener>()
  #closed: Closed | undefined

  constructor(options: PeerOptions) {
    this.#options = options
    this.#dialect = options.dialect ?? '2.0'
  }

  get pending(): number {
    return this.#listeners.size
  }

  call(method: string, params: Payload | undefined, listener: ResponseListener, options?: Payload): RequestId {
    const id = String(++this.#lastId) as RequestId
    if (this.#closed !== undefined) {
      listener.settled(this.#closed)
      return id
    }
    this.#listeners.set(id, listener)
    const dialect = this.#dialect
    const request: Request =
      options === undefined || dialect === '2.0'
        ? { kind: 'request', dialect, id, method, params }
        : { kind: 'request', dialect, id, method, params, options }
    try {
      this.#options.send(request)?.catch(() => this.#failSend(id, sendFailures.interrupted))
    } catch {
      this.#failSend(id, sendFailures.notSent)
    }
    return id
  }

  async request(method: string, params: Payload | undefined, options: RequestOptions = {}): Promise<Response> {
    options.signal?.throwIfAborted()
    const request = new PeerRequest(options, this.#forget)
    return request.response(this.call(method, params, request, options.options))
  }

  stream(method: string, params: Payload | undefined, options: StreamOptions = {}): PeerStream {
    options.signal?.throwIfAborted()
    const stream = new QueuedStream(options, (id) => this.#leave(id, options.abort === true))
    return stream.started(this.call(method, params, stream, askForStream(options.options)))
  }

  notify(method: string, params: Payload | undefined, options?: Payload): Promise<void> | undefined {
    const dialect = this.#dialect
    return this.#send(
      options === undefined || dialect === '2.0'
        ? { kind: 'notification', dialect, method, params }
        : { kind: 'notification', dialect, method, params, options },
    )
  }

  respond(to: Request | RequestId, answer: Answer): Promise<void> | undefined {
    const [id, dialect] = typeof to === 'string' ? [to, this.#dialect] : [to.id, to.dialect]
    const form = typeof to !== 'string' && isStreamed(to) ? streamForm : undefined
    return this.#send(
      'result' in answer
        ? { kind: 'result', dialect, id, result: answer.result, ...form }
        : { kind: 'error', dialect, id, error: answer.error, ...form },
    )
  }

  acknowledge(request: Request, info?: Payload): Promise<void> | undefined {
    const { dialect, id } = request
    if (dialect === '2.0') return undefined
    return this.#send({ kind: 'ack', dialect, id, info, ...(isStreamed(request) && streamForm) })
  }

  push(request: Request, data: Payload): Promise<void> | undefined {
    return isStreamed(request) ? this.#send({ kind: 'chunk', dialect: '3.0', id: request.id, data }) : undefined
  }

  forget(id: RequestId): boolean {
    this.#names?.forget(id)
    return this.#listeners.take(id) !== undefined
  }

  receive(message: Message): Promise<void> | undefined {
    switch (message.kind) {
      case 'request':
        if (this.#closed === undefined) this.#options.handler.request(message)
        break
      case 'notification':
        if (this.#closed === undefined) this.#options.handler.notification(message)
        break
      case 'abort':
        if (this.#closed === undefined) this.#options.handler.abort?.(message)
        break
      case 'result':
      case 'error':
        this.#settle(message)
        break
      case 'ack':
        this.#acknowledged(message)
        break
      case 'chunk':
        return this.#chunk(message)
    }
    return undefined
  }

  close(error: Error): void {
    if (this.#closed !== undefined) return
    this.#closed = { kind: 'closed', error }
    const listeners = this.#listeners
    this.#listeners = new Pending()
    for (const listener of listeners.values()) listener.settled(this.#closed)
  }

  /** The request cannot be answered, so its listener receives an error. */
  #failSend(id: RequestId, failure: WireError): void {
    const dialect = this.#dialect
    const { code, message } = failure
    const error = dialect === '3.0' ? failure : { code, message }
    this.#names?.forget(id)
    this.#listeners.take(id)?.settled({ kind: 'error', dialect, id, error })
  }

  #send(message: Message): Promise<void> | undefined {
    return this.#closed === undefined ? this.#options.send(message) : undefined
  }

  #settle(response: Response): void {
    let own = response.id
    let listener = own === undefined ? undefined : this.#listeners.take(own)
    if (own !== undefined && listener === undefined) {
      own = this.#ownId(own)
      listener = this.#listeners.take(own)
    }
    if (own === undefined || listener === undefined) {
      this.dropped++
      return
    }
    this.#names?.forget(own)
    listener.settled(response)
  }

  #acknowledged(ack: AckMessage): void {
    const own = this.#ownId(ack.id)
    const listener = this.#listeners.get(own)
    if (listener === undefined) {
      this.dropped++
      return
    }
    this.#names ??= new StreamNames()
    this.#names.learn(own, ack)
    listener.acknowledged?.(ack)
  }

  #chunk(chunk: ChunkMessage): Promise<void> | undefined {
    const listener = this.#listeners.get(this.#ownId(chunk.id))
    if (listener !== undefined) return listener.chunk?.(chunk)
    this.dropped++
    return undefined
  }

  /** Returns the id under which an own request is known. */
  #ownId(id: RequestId): RequestId {
    if (this.#listeners.has(id)) return id
    return this.#names?.requestOf(id) ?? numberedId(id)
  }

  readonly #forget = (id: RequestId): void => void this.forget(id)

  /** Stops waiting for a stream, and notifies the other side (JSON-RPC 3.0 section 4.2). */
  #leave(id: RequestId, byMessage: boolean): void {
    this.forget(id)
    const params = payloadFromText(`{"stream":true,"id":${id}}`)
    const message: Message =
      byMessage && this.#dialect === '3.0'
        ? { kind: 'abort', dialect: '3.0', id }
        : { kind: 'notification', dialect: this.#dialect, method: 'request.cancel', params }
    // The message need not arrive, and no caller waits for it; the cause is often a timer.
    try {
      this.#send(message)?.catch(() => {})
    } catch {
      // A fault of the connection is reported by `close`.
    }
  }
}

const streamForm = { stream: true } as const

function isStreamed(request: Request): boolean {
  return request.dialect === '3.0' && wantsStream(request)
}

/** Returns the options of a request, changed to ask for a stream. */
function askForStream(options: Payload = payloadOf({})): Payload {
  return wantsStream({ options }) ? options : edit(options, { stream: true })
}

const title = 'Send Failure'

/** The errors of requests that could not be sent (JSON-RPC 3.0 section 7.2, "-32040 + N"). */
const sendFailures: {
  /** No part of it was sent. */
  readonly notSent: WireError
  /** Sending was interrupted: how much has arrived is unknown. */
  readonly interrupted: WireError
} = {
  notSent: { code: -32_040, title, message: 'The request could not be sent' },
  interrupted: { code: -32_041, title, message: 'The request may not have been sent as a whole' },
}
