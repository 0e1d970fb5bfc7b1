import { ClientConnection } from '@junctor/connection'
import type { EndReason } from '@junctor/exchange'
import type { Identity, PostAddress, PostResult } from '@junctor/contracts'
import { ListNode } from '@junctor/primitives'
import { endpointStream } from '../framing/endpoint-stream.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { HttpSink } from '../request/http-sink.ts'
import type { OpenSink } from '../serving/open-sinks.ts'
import { parseBody } from '../body/parse-body.ts'
import { sessionParameter } from '../headers/session-parameter.ts'

/** All answers of a client share its stream, so more may be unread on it than on the stream of one request. */
const answersAtOnce = 4

/**
 * One client over HTTP+SSE (2024-11-05): its posts arrive here, and all answers are sent on the stream that its GET
 * opened. The stream is the connection: when it ends, the session ends and cannot be resumed.
 */
export class SseConnection implements OpenSink {
  readonly #call: ReceivedRequest
  /** The part of the URL that identifies the client's posts. */
  readonly #address: PostAddress
  readonly #stream: HttpSink
  readonly #client: ClientConnection
  readonly #unfinished: ListNode<OpenSink> = new ListNode<OpenSink>(this)
  #over = false

  constructor(call: ReceivedRequest, identity: Identity) {
    const { front, log } = call.serving
    this.#call = call
    this.#address = front.messageEndpoints.open(identity, (body) => this.#take(body))
    const [path] = (call.request.url ?? '').split('?', 1)
    const framing = endpointStream(`${path}?${sessionParameter}=${this.#address.name}`)
    const buffer = answersAtOnce * call.serving.limits.streamBuffer
    this.#stream = new HttpSink(call, { session: undefined }, framing, buffer)
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

  /** Sends the URL to post to. From now on messages are accepted, until the stream is gone. */
  open(): void {
    const { serving, request } = this.#call
    this.#stream.open()
    serving.open.add(request.socket, this.#unfinished)
  }

  /** Handles a post of the client. */
  #take(body: Uint8Array): PostResult {
    if (this.#over) return 'unknown'
    // Nothing is buffered meanwhile, because the client would decide how much.
    if (this.#client.opening) return 'opening'
    return this.#client.take(parseBody(body, this.#call.serving.limits.frame)) ? 'taken' : 'unknown'
  }

  lost(): void {
    this.#stream.lost()
  }

  ended(): void {
    this.#stream.ended()
  }

  /** Ends the connection when its requests are answered. Until then their questions can be answered, too. */
  leave(): void {
    void this.#client.answered().then(() => this.#end('shutdown'))
  }

  abandon(): void {
    this.#stream.abandon()
  }

  async #end(reason: EndReason): Promise<void> {
    if (this.#over) return
    this.#over = true
    try {
      this.#address.close()
      await this.#client.end(reason)
      void this.#stream.send('', true)
    } catch (error) {
      this.#client.reportError(error)
    }
    this.#call.serving.open.delete(this.#unfinished)
  }
}
