import { randomBytes } from 'node:crypto'
import { ClientConnection, type EndReason, type Identity, Place } from '@junctor/exchange'
import type { ParsedFrame } from '@junctor/jsonrpc'
import { endpointStream } from '../endpoint-stream.ts'
import type { HttpCall } from '../http-call.ts'
import { HttpSink } from '../http-sink.ts'
import type { OpenSink } from '../open-sinks.ts'
import { sessionParameter } from '../session-parameter.ts'

/** The open connections of one front, by their keys. */
export type SseConnections = Map<string, SseConnection>

/**
 * One client over HTTP+SSE (2024-11-05): what it posts comes in here, and all answers go out on the stream that its GET
 * opened. The stream is the connection: with it the session ends, and there is no coming back.
 */
export class SseConnection implements OpenSink {
  /** What only this client knows: it is in the URL that the client posts to. */
  readonly key: string
  readonly #call: HttpCall
  readonly #identity: Identity
  readonly #stream: HttpSink
  readonly #client: ClientConnection
  readonly #connections: SseConnections
  readonly #unfinished: Place<OpenSink> = new Place<OpenSink>(this)
  #over = false

  constructor(call: HttpCall, identity: Identity, connections: SseConnections) {
    const { front, log } = call.serving
    this.key = randomBytes(32).toString('base64url')
    this.#call = call
    this.#identity = identity
    this.#connections = connections
    const [path] = (call.request.url ?? '').split('?', 1)
    const framing = endpointStream(`${path}?${sessionParameter}=${this.key}`)
    this.#stream = new HttpSink(call, { session: undefined }, framing)
    this.#stream.owner = { lost: () => void this.#end('disconnected'), waiting() {} }
    this.#client = new ClientConnection({
      transport: 'http',
      front,
      identity,
      log,
      write: (text) => this.#stream.send(text, false),
      ready() {},
      ended: () => void this.#end('disconnected'),
    })
  }

  /** Sends the URL to post to. From now on messages are taken, until the stream is gone. */
  open(): void {
    const { serving, request } = this.#call
    this.#connections.set(this.key, this)
    this.#stream.open()
    serving.open.add(request.socket, this.#unfinished)
  }

  /** Its session is being opened: nothing can be taken until that is done. */
  get opening(): boolean {
    return this.#client.opening
  }

  /** The stream is gone, or is about to be. */
  get over(): boolean {
    return this.#over
  }

  /** Whether it is this caller's: its key alone lets nobody in. */
  belongsTo({ principal, tenant }: Identity): boolean {
    const own = this.#identity
    return own.principal.key === principal.key && own.tenant.name === tenant.name
  }

  /** Takes what the client posted. */
  take(frame: ParsedFrame): void {
    this.#client.take(frame)
  }

  lost(): void {
    this.#stream.lost()
  }

  /** What was asked is answered, then it ends. */
  leave(): void {
    this.#connections.delete(this.key)
    void this.#client.answered().then(() => this.#end('shutdown'))
  }

  abandon(): void {
    this.#stream.abandon()
  }

  async #end(reason: EndReason): Promise<void> {
    if (this.#over) return
    this.#over = true
    this.#connections.delete(this.key)
    await this.#client.end(reason)
    void this.#stream.send('', true)
    this.#call.serving.open.delete(this.#unfinished)
  }
}
