import type { IncomingHttpHeaders } from 'node:http'
import { joinedHeaders } from '@junctor/primitives'
import type { Dispatcher } from 'undici'
import { createSseReader, type SseListener, type SseReader } from './sse-reader.ts'

/** How the body of a response is read. */
export type BodyKind = 'whole' | 'events' | 'ignored'

/** How one HTTP response ended. */
export type RoundEnd =
  | { readonly kind: 'complete' }
  /** `sent` is false when the request was not sent. */
  | { readonly kind: 'failed'; readonly sent: boolean; readonly error: Error }
  /** The body, or one event in it, exceeds the limit. */
  | { readonly kind: 'too_large' }
  | { readonly kind: 'not_utf8' }

/** Receives the result of one HTTP request: `head`, then the body in the form that `head` returned, then one `over`. */
export interface RoundListener extends SseListener {
  head(status: number, headers: IncomingHttpHeaders): BodyKind
  whole(body: Uint8Array): void
  over(end: RoundEnd): void
}

/** One HTTP request and its response. */
export interface Round {
  /** Whether the request was sent, in whole or in part. */
  readonly sent: boolean
  /** Stops reading and releases the connection. The listener is not called again, not even `over`. */
  abort(): void
}

/** The handler that undici calls. */
export class HttpRound implements Dispatcher.DispatchHandler, Round {
  readonly #listener: RoundListener
  readonly #limit: number
  #controller: Dispatcher.DispatchController | undefined
  #over = false
  #kind: BodyKind = 'ignored'
  #events: SseReader | undefined
  #chunks: Uint8Array[] = []
  #size = 0

  /** @param limit bytes of a whole body, and characters of one event */
  constructor(listener: RoundListener, limit: number) {
    this.#listener = listener
    this.#limit = limit
  }

  get sent(): boolean {
    return this.#controller !== undefined
  }

  abort(): void {
    if (this.#over) return
    this.#over = true
    this.#controller?.abort(new Error('not needed any more'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) controller.abort(new Error('not needed any more'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#over || status < 200) return
    this.#kind = this.#listener.head(status, joinedHeaders(headers))
    if (this.#kind === 'events') this.#events = createSseReader(this.#listener, this.#limit)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over) return
    if (this.#events !== undefined) {
      const read = this.#events.feed(chunk)
      if (read !== 'ok') this.#stop({ kind: read })
      return
    }
    this.#size += chunk.length
    if (this.#size > this.#limit) this.#stop({ kind: 'too_large' })
    else if (this.#kind === 'whole') this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#over) return
    if (this.#kind === 'whole') {
      const [first] = this.#chunks
      this.#listener.whole(first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks))
    }
    this.#end({ kind: 'complete' })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end({ kind: 'failed', sent: this.sent, error })
  }

  /** Ends a response whose rest cannot be used. */
  #stop(end: RoundEnd): void {
    this.#end(end)
    this.#controller?.abort(new Error('the response cannot be used'))
  }

  #end(end: RoundEnd): void {
    if (this.#over) return
    this.#over = true
    this.#listener.over(end)
  }
}
