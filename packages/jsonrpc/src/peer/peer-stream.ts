import type { AckMessage, ChunkMessage, Response } from '../message/message.ts'
import type { Payload } from '../payload/payload.ts'
import type { RequestOptions } from './peer-request.ts'
import type { RequestId } from '../message/request-id.ts'
import type { Closed, ResponseListener } from './response-listener.ts'
import { silenceError, SilenceTimer } from './silence-timer.ts'

/** Options of a stream. */
export interface StreamOptions extends RequestOptions {
  /**
   * The maximum number of buffered pieces. Default 1024. When half of them are buffered, `receive` returns a promise,
   * so that a connection that waits for it slows its sender down; on a connection that does not wait, an overflow ends
   * the stream with a RangeError.
   */
  readonly buffer?: number | undefined
  /** Whether the extension `abort` was negotiated: leaving a stream then sends its message, else `request.cancel`. */
  readonly abort?: boolean | undefined
}

/**
 * The pieces of a result, in order. Read a stream to its end, or leave it: leaving (`break` in `for await`, or
 * `return()`) notifies the other side, once. An error of the other side is a value, as everywhere: the return value of
 * the iteration, and `response`. Iterating fails when the connection closes, the signal aborts, the time limit is
 * reached or the buffer overflows.
 */
export interface PeerStream extends AsyncIterator<Payload, Response | undefined, void> {
  /** The id of the request. */
  readonly id: RequestId
  /** The end of the stream. Rejects when iterating would fail, and with an AbortError when the stream is left early. */
  readonly response: Promise<Response>
  /** Leaves the stream: the rest is cancelled. */
  return(): Promise<IteratorResult<Payload, Response | undefined>>
  /** The stream itself. */
  [Symbol.asyncIterator](): PeerStream
}

type Step = IteratorResult<Payload, Response | undefined>
type End = { readonly response: Response } | { readonly error: Error } | 'reported'

/** The only implementation: queues the messages for a request until the reader iterates. */
export class QueuedStream implements PeerStream, ResponseListener {
  readonly response: Promise<Response>
  readonly #options: StreamOptions
  readonly #buffer: number
  /** Notifies the other side that the reader is gone. */
  readonly #leave: (id: RequestId) => void
  readonly #answer = Promise.withResolvers<Response>()
  readonly #timer: SilenceTimer
  #queue: Payload[] = []
  #waiting: PromiseWithResolvers<Step>[] = []
  #room: PromiseWithResolvers<void> | undefined
  #end: End | undefined
  #id: RequestId | undefined
  #left = false

  constructor(options: StreamOptions, leave: (id: RequestId) => void) {
    this.#options = options
    this.#buffer = options.buffer ?? 1024
    this.#leave = leave
    this.#timer = new SilenceTimer(options.timeoutMs, () => this.#silent())
    this.#timer.start()
    this.response = this.#answer.promise
    // A caller that iterates gets the error there; then it may ignore this promise.
    this.response.catch(() => undefined)
  }

  get id(): RequestId {
    return this.#id as RequestId
  }

  /** Sets the id, and starts to listen to the signal. The stream may already have ended. */
  started(id: RequestId): this {
    this.#id = id
    if (this.#left) this.#leave(id)
    const { signal } = this.#options
    if (this.#end !== undefined || signal === undefined) return this
    // The signal may have aborted while the request was sent.
    if (signal.aborted) this.#aborted()
    else signal.addEventListener('abort', this.#aborted)
    return this
  }

  settled(end: Response | Closed): void {
    if (this.#end === undefined) this.#finish(end.kind === 'closed' ? { error: end.error } : { response: end })
  }

  acknowledged(ack: AckMessage): void {
    this.#timer.restart()
    this.#options.acknowledged?.(ack)
  }

  chunk({ data }: ChunkMessage): Promise<void> | undefined {
    if (this.#end !== undefined) return undefined
    this.#timer.restart()
    const reader = this.#waiting.shift()
    if (reader !== undefined) {
      reader.resolve({ done: false, value: data })
      return undefined
    }
    if (this.#queue.length >= this.#buffer) {
      this.#giveUp(new RangeError(`Expected the stream to be read, got ${this.#buffer} unread pieces`))
      return undefined
    }
    this.#queue.push(data)
    if (this.#queue.length * 2 < this.#buffer) return undefined
    this.#room ??= Promise.withResolvers()
    return this.#room.promise
  }

  next(): Promise<Step> {
    const value = this.#queue.shift()
    if (value !== undefined) {
      this.#timer.restart()
      if (this.#queue.length * 2 < this.#buffer) this.#makeRoom()
      return Promise.resolve({ done: false, value })
    }
    if (this.#end !== undefined) return this.#reportEnd(this.#end)
    const reader = Promise.withResolvers<Step>()
    this.#waiting.push(reader)
    return reader.promise
  }

  return(): Promise<Step> {
    this.#queue = []
    if (this.#end === undefined)
      this.#giveUp(new DOMException('The stream was left before its end', 'AbortError'), 'reported')
    this.#end = 'reported'
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  readonly #aborted = (): void => {
    this.#queue = []
    this.#giveUp(this.#options.signal?.reason as Error)
  }

  #silent(): void {
    // While pieces wait for the reader, the other side is not the silent one.
    if (this.#queue.length > 0) this.#timer.start()
    else this.#giveUp(silenceError(this.#options.timeoutMs))
  }

  /** Ends the stream from this side. */
  #giveUp(error: Error, end: End = { error }): void {
    this.#left = true
    if (this.#id !== undefined) this.#leave(this.#id)
    this.#answer.reject(error)
    this.#finish(end)
  }

  #finish(end: End): void {
    this.#end = end
    this.#timer.stop()
    this.#options.signal?.removeEventListener('abort', this.#aborted)
    if (end !== 'reported' && 'response' in end) this.#answer.resolve(end.response)
    else if (end !== 'reported') this.#answer.reject(end.error)
    this.#makeRoom()
    const readers = this.#waiting
    this.#waiting = []
    for (const reader of readers) reader.resolve(this.#reportEnd(this.#end))
  }

  /** Returns the end: the first reader gets its response or error, later readers only that it has ended. */
  #reportEnd(end: End): Promise<Step> {
    this.#end = 'reported'
    if (end === 'reported') return Promise.resolve({ done: true, value: undefined })
    return 'error' in end ? Promise.reject(end.error) : Promise.resolve({ done: true, value: end.response })
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}
