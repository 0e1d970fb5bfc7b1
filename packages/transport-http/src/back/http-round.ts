import type { IncomingHttpHeaders } from 'node:http'
import { createRedaction, GatheredBytes, joinedHeaders, ReadTurns, type Redact } from '@junctor/primitives'
import type { Dispatcher } from 'undici'
import { type BodyDecoder, createBodyDecoder, isDecodable } from './body-decoder.ts'
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
  /** The body does not have the content coding that its header names. */
  | { readonly kind: 'undecodable' }

/** Receives the result of one HTTP request: `head`, then the body in the form that `head` returned, then one `over`. */
export interface RoundListener extends SseListener {
  head(status: number, headers: IncomingHttpHeaders): BodyKind
  /** `hide` removes the secrets of the request from a text of the server. */
  whole(body: Uint8Array, hide: Redact): void
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
  readonly #secrets: () => readonly string[]
  #controller: Dispatcher.DispatchController | undefined
  #over = false
  #coding: string | undefined
  #decoder: BodyDecoder | undefined
  #kind: BodyKind = 'ignored'
  #events: SseReader | undefined
  readonly #body = new GatheredBytes()
  #size = 0
  readonly #turns = new ReadTurns()

  /**
   * @param limit bytes of a whole body, and characters of one event
   * @param secrets returns what the request contains that nobody else may read
   */
  constructor(listener: RoundListener, limit: number, secrets: () => readonly string[]) {
    this.#listener = listener
    this.#limit = limit
    this.#secrets = secrets
  }

  get sent(): boolean {
    return this.#controller !== undefined
  }

  abort(): void {
    if (this.#over) return
    this.#over = true
    this.#decoder?.close()
    this.#controller?.abort(new Error('not needed any more'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) controller.abort(new Error('not needed any more'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#over || status < 200) return
    this.#kind = this.#listener.head(status, this.#decodedHeaders(joinedHeaders(headers)))
    if (this.#kind === 'events') this.#events = createSseReader(this.#listener, this.#limit)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over) return
    if (this.#coding === undefined || this.#kind === 'ignored') {
      this.#read(chunk)
      return this.#takeTurns(controller, chunk)
    }
    this.#decoder ??= createBodyDecoder(this.#coding, {
      read: (decoded) => this.#read(decoded),
      drained: () => controller.resume(),
      end: () => this.#complete(),
      undecodable: () => this.#stop({ kind: 'undecodable' }),
    })
    if (this.#decoder?.write(chunk) === false) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#decoder === undefined) this.#complete()
    else this.#decoder.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end({ kind: 'failed', sent: this.sent, error })
  }

  /** The headers as if the body had come without its content coding, if that can be decoded. */
  #decodedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const { 'content-encoding': coding, ...others } = headers
    if (coding === undefined || !isDecodable(coding)) return headers
    this.#coding = coding
    return others
  }

  #read(chunk: Uint8Array): void {
    if (this.#over) return
    if (this.#events !== undefined) {
      const read = this.#events.feed(chunk)
      if (read !== 'ok') this.#stop({ kind: read })
      return
    }
    this.#size += chunk.length
    if (this.#size > this.#limit) this.#stop({ kind: 'too_large' })
    else if (this.#kind === 'whole') this.#body.add(chunk)
  }

  #takeTurns(controller: Dispatcher.DispatchController, { length }: Uint8Array): void {
    if (this.#over || this.#events === undefined || !this.#turns.isOver(length)) return
    controller.pause()
    setImmediate(() => controller.resume())
  }

  #complete(): void {
    if (this.#over) return
    if (this.#kind === 'whole')
      this.#listener.whole(this.#body.take(), (text) => createRedaction(this.#secrets())(text))
    this.#end({ kind: 'complete' })
  }

  /** Ends a response whose rest cannot be used. */
  #stop(end: RoundEnd): void {
    this.#end(end)
    this.#controller?.abort(new Error('the response cannot be used'))
  }

  #end(end: RoundEnd): void {
    if (this.#over) return
    this.#over = true
    this.#decoder?.close()
    this.#listener.over(end)
  }
}
