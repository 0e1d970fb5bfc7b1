import type { IncomingHttpHeaders } from 'node:http'
import type { Receiver, Transport } from '@junctor/contracts'
import { idAtEnd, judgeBeginning, type Message, printMessage, type RequestId } from '@junctor/jsonrpc'
import { headers as names, invalidResponse, JunctorError, mcpProfile, mediaTypes, wireError } from '@junctor/protocol'
import { sendMessage, type RequestHost, deliveryTimeoutMs } from './send-message.ts'
import { failureSituation } from './failure-situation.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { describeFailure, type HttpFailure } from './http-failure.ts'
import type { HttpOrigin } from './http-origin.ts'
import type { BodyKind, Round, RoundEnd, RoundListener } from './http-round.ts'
import { judgeResponse } from './judge-response.ts'
import { readMessages } from './read-messages.ts'
import type { OverlongEvent } from './overlong-events.ts'
import { judgeSseEndpoint } from './sse-endpoint.ts'

/** In HTTP+SSE the session is in the endpoint's URL, not in a header. */
const noSession: RequestHost = { hasSession: false, unknown() {} }

/**
 * Opens an HTTP+SSE connection (2024-11-05): one stream from the server, one endpoint to post to. The two form one
 * connection: messages do not name the request that caused them, and when the stream ends, the session ends.
 *
 * Rejects when the server does not support it, or the signal aborts before the server has named its endpoint.
 */
export async function openSseTransport(
  origin: HttpOrigin,
  receiver: Receiver,
  signal: AbortSignal,
): Promise<Transport> {
  signal.throwIfAborted()
  const transport = new SseTransport(origin, receiver)
  const abort = (): void => void transport.close(signal.reason as Error)
  signal.addEventListener('abort', abort)
  try {
    await transport.opened
    return transport
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

class SseTransport implements Transport, RoundListener {
  readonly #origin: HttpOrigin
  readonly #receiver: Receiver
  readonly #postHeaders: string[]
  readonly #opened = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<Error | undefined>()
  readonly #stream: Round
  /** Ends the requests that the server still holds. */
  readonly #ending = new AbortController()
  readonly #deliveries: DeliveryQueue = createDeliveryQueue()
  #path: string | undefined
  #over = false

  constructor(origin: HttpOrigin, receiver: Receiver) {
    this.#origin = origin
    this.#receiver = receiver
    this.#postHeaders = [...origin.headers, names.contentType, mediaTypes.json]
    const headers = [...origin.headers, names.accept, mediaTypes.eventStream]
    this.#stream = origin.send({ method: 'GET', headers }, this)
  }

  get opened(): Promise<void> {
    return this.#opened.promise
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  /** The promise of a notification resolves with its delivery: a message that is sent after that cannot overtake it. */
  send(message: Message): Promise<void> | undefined {
    if (this.#over || this.#path === undefined) return undefined
    const delivered = this.#post(message, this.#path)
    return message.kind === 'notification' ? delivered : undefined
  }

  async #post(message: Message, path: string): Promise<void> {
    const failure = await (message.kind === 'request'
      ? // Some servers end its POST only when the response is ready, however long that takes.
        this.#deliver(message, path, undefined)
      : this.#deliveries.add(() => this.#deliver(message, path, deliveryTimeoutMs)))
    if (failure === undefined || this.#over) return
    this.#origin.log.warn('a message was not accepted', { problem: describeFailure(failure) })
    // The stream will bring no response to the request, so its caller gets the error here.
    if (message.kind !== 'request') return
    const { situation, loss: _, ...details } = failureSituation(failure)
    const error = wireError(situation, { revision: undefined, dialect: '2.0', profile: mcpProfile }, details)
    this.#receiver.message({ kind: 'error', dialect: '2.0', id: message.id, error })
  }

  #deliver(message: Message, path: string, timeoutMs: number | undefined): Promise<HttpFailure | undefined> {
    const body = printMessage(message, { nullId: false })
    return sendMessage(
      (listener) => this.#origin.send({ method: 'POST', path, headers: this.#postHeaders, body }, listener),
      noSession,
      timeoutMs,
      this.#ending.signal,
    )
  }

  close(reason?: Error): Promise<void> {
    this.#end(reason)
    return Promise.resolve()
  }

  head(status: number, headers: IncomingHttpHeaders): BodyKind {
    if (judgeResponse(status, headers).kind === 'events') return 'events'
    this.#end(new JunctorError('BACKEND_REFUSED', `Expected an event stream, got HTTP ${status} without one`))
    return 'ignored'
  }

  whole(): void {}

  event(type: string, data: string): void {
    if (type === 'endpoint' && this.#path === undefined) this.#named(data)
    if (type !== 'message' || data === '') return
    const { backend, log } = this.#origin
    const messages = readMessages(data, { backend, report: (problem, fields) => log.warn(problem, fields) })
    for (const message of messages) this.#receiver.message(message)
  }

  id(): void {}

  retry(): void {}

  /** Only the request whose response it is fails: the stream is that of all. */
  overlong(event: OverlongEvent): void {
    const { backend, log } = this.#origin
    log.warn('a server sent a message that is larger than the limit', {})
    const id = idOf(event)
    if (id !== undefined) this.#receiver.message(invalidResponse(id, 'it is larger than the limit', backend))
  }

  over(end: RoundEnd): void {
    const options = end.kind === 'failed' ? { cause: end.error } : {}
    this.#end(new JunctorError('BACKEND_EXITED', `The event stream of the server ended (${end.kind})`, options))
  }

  #named(data: string): void {
    const endpoint = judgeSseEndpoint(data, this.#origin.url)
    if (endpoint.kind === 'refused') return this.#end(new JunctorError('BACKEND_REFUSED', endpoint.what))
    this.#path = endpoint.path
    this.#opened.resolve()
  }

  #end(error: Error | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#stream.abort()
    this.#deliveries.close()
    this.#ending.abort()
    this.#opened.reject(error ?? new JunctorError('CLOSED', 'The connection was closed'))
    this.#closed.resolve(error)
  }
}

/** The id of the request that an event answers, if it is a response and shows its id. */
function idOf({ beginning, ending }: OverlongEvent): RequestId | undefined {
  const judged = judgeBeginning(beginning)
  if (judged.kind === 'answers') return judged.id
  return judged.kind === 'id_last' ? idAtEnd(ending) : undefined
}
