import type { IncomingHttpHeaders } from 'node:http'
import { errorReason, joinedHeaders } from '@junctor/primitives'
import type { Dispatcher } from 'undici'
import { HttpRequestError } from './http-request-error.ts'

/** Bytes that wait for their reader before the connection is paused. */
const pauseAbove = 256 * 1024

/** Status and headers of a response. */
export interface HttpHead {
  readonly status: number
  /** By their names in lower case. Those that came several times are one text. */
  readonly headers: Readonly<IncomingHttpHeaders>
}

/** The bounds of one round. */
export interface RoundBounds {
  readonly maxBytes: number
  /** Milliseconds for all of it: until the last byte of the body. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** One HTTP request and its response: the handler that undici calls. The body has one reader. */
export class HttpRound implements Dispatcher.DispatchHandler {
  readonly #head = Promise.withResolvers<HttpHead>()
  readonly #maxBytes: number
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #failure: HttpRequestError | undefined
  #over = false
  #size = 0
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #wake: (() => void) | undefined

  constructor({ maxBytes, timeoutMs, signal }: RoundBounds) {
    this.#maxBytes = maxBytes
    this.#signal = signal
    this.#timer = setTimeout(() => this.#fail('timed_out', `no complete answer within ${timeoutMs} ms`), timeoutMs)
    if (signal?.aborted === true) this.#aborted()
    else signal?.addEventListener('abort', this.#aborted, { once: true })
  }

  /** Rejects with an {@link HttpRequestError}. */
  get head(): Promise<HttpHead> {
    return this.#head.promise
  }

  /** Whether the server may have received the request, in whole or in part. */
  get sent(): boolean {
    return this.#controller !== undefined
  }

  /** Stops reading and closes the connection. A reader of the body gets an error. */
  cancel(): void {
    this.#fail('aborted', 'the response was not read to its end')
  }

  /** The pieces of the body, as they arrive. Leaving the loop cancels the rest. */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const pieces = this.#take()
        if (pieces.length > 0) yield* pieces
        else if (this.#failure !== undefined) throw this.#failure
        else if (this.#over) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      this.cancel()
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) controller.abort(new Error('not needed any more'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (!this.#over && status >= 200) this.#head.resolve({ status, headers: joinedHeaders(headers) })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over) return
    this.#size += chunk.length
    if (this.#size > this.#maxBytes) {
      this.#fail('too_large', `the body has more than ${this.#maxBytes} bytes`)
      return
    }
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes > pauseAbove) controller.pause()
    this.#wakeReader()
  }

  onResponseEnd(): void {
    this.#finish()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof HttpRequestError) this.#failWith(error)
    else if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') this.#fail('bad_request', error.message)
    else if ('code' in error && error.code === 'UND_ERR_DESTROYED') this.#fail('aborted', 'the client was closed')
    else if (this.sent)
      this.#fail('interrupted', `the connection ended before the answer: ${errorReason(error)}`, error)
    else this.#fail('unreachable', `no connection: ${errorReason(error)}`, error)
  }

  readonly #aborted = (): void => this.#fail('aborted', 'the request was aborted', this.#signal?.reason)

  #take(): Uint8Array[] {
    const pieces = this.#waiting
    if (pieces.length === 0) return pieces
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#controller?.paused === true) this.#controller.resume()
    return pieces
  }

  #fail(kind: HttpRequestError['kind'], message: string, cause?: unknown): void {
    if (!this.#over) this.#failWith(new HttpRequestError(kind, message, { sent: this.sent, cause }))
  }

  #failWith(error: HttpRequestError): void {
    if (this.#over) return
    this.#failure = error
    this.#finish()
    this.#head.reject(error)
    this.#controller?.abort(error)
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#aborted)
    this.#wakeReader()
  }

  #wakeReader(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
