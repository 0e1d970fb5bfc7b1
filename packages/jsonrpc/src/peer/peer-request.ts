import type { AckMessage, Response } from '../message/message.ts'
import type { Payload } from '../payload/payload.ts'
import type { RequestId } from '../message/request-id.ts'
import type { Closed, ResponseListener } from './response-listener.ts'
import { silenceError, SilenceTimer } from './silence-timer.ts'

/** How a request is sent and waited for. */
export interface RequestOptions {
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds of silence after which the wait ends with a TimeoutError. Each ack or piece restarts them. Default: no
   * limit.
   */
  readonly timeoutMs?: number | undefined
  /** JSON-RPC 3.0 options, an object. They are omitted in JSON-RPC 2.0. */
  readonly options?: Payload | undefined
  /** Called with each ack. Must not throw. */
  readonly acknowledged?: ((ack: AckMessage) => void) | undefined
}

/** Waits for a response as a promise, until the response arrives or the wait ends. */
export class PeerRequest implements ResponseListener {
  readonly #settled = Promise.withResolvers<Response>()
  readonly #options: RequestOptions
  readonly #forget: (id: RequestId) => void
  readonly #timer: SilenceTimer
  #id: RequestId | undefined
  #over = false

  constructor(options: RequestOptions, forget: (id: RequestId) => void) {
    this.#options = options
    this.#forget = forget
    this.#timer = new SilenceTimer(options.timeoutMs, () => this.#giveUp(silenceError(options.timeoutMs)))
    this.#timer.start()
  }

  /** Starts to listen to the signal. The response may already have arrived. */
  response(id: RequestId): Promise<Response> {
    this.#id = id
    const { signal } = this.#options
    if (this.#over || signal === undefined) return this.#settled.promise
    // The signal may have aborted while the request was sent.
    if (signal.aborted) this.#aborted()
    else signal.addEventListener('abort', this.#aborted)
    return this.#settled.promise
  }

  settled(end: Response | Closed): void {
    this.#end()
    if (end.kind === 'closed') this.#settled.reject(end.error)
    else this.#settled.resolve(end)
  }

  acknowledged(ack: AckMessage): void {
    this.#timer.restart()
    this.#options.acknowledged?.(ack)
  }

  chunk(): undefined {
    this.#timer.restart()
  }

  readonly #aborted = (): void => this.#giveUp(this.#options.signal?.reason as Error)

  #giveUp(error: Error): void {
    this.#end()
    if (this.#id !== undefined) this.#forget(this.#id)
    this.#settled.reject(error)
  }

  #end(): void {
    this.#over = true
    this.#timer.stop()
    this.#options.signal?.removeEventListener('abort', this.#aborted)
  }
}
