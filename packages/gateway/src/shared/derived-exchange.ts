import type {
  Ack,
  Answer,
  AskOptions,
  CallContext,
  ClientRequest,
  EndListener,
  EndListeners,
  EndReason,
  Exchange,
  NotificationBody,
  Progress,
} from '@junctor/exchange'
import { tellEnd, withListener } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import { EndSignal } from './end-signal.ts'

/** What is different about a derived exchange. All that is left out is as it is with the exchange behind it. */
export interface ExchangeChanges {
  readonly context?: CallContext
  /** Epoch milliseconds. Read each time, so it may move. */
  readonly deadline?: number
  chunk?(data: unknown): Promise<void> | undefined
  notify?(notification: NotificationBody): void
  ask?(request: ClientRequest, options?: AskOptions): Promise<Answer>
  /** It has ended, and its listeners have been told. Told of an end of the exchange behind it only after `follow`. */
  ended?(reason: EndReason): void
  /** A listener to its end threw. */
  crashed?(error: unknown): void
}

/** An exchange that may end before the one behind it does. */
export interface DerivedExchange extends Exchange {
  /** Ends it, and leaves the one behind it as it is. Nothing passes it from here on. Idempotent. */
  end(reason: EndReason): void
  /** From now on it ends when the one behind it does. It also does so as soon as anybody listens to its end. */
  follow(): void
}

/**
 * An exchange that passes everything on to the one behind it, but for what the changes say. One is made for each call of a
 * backend: what most calls do without is made when first needed.
 */
export function deriveExchange(behind: Exchange, changes: ExchangeChanges): DerivedExchange {
  return new ChangedExchange(behind, changes)
}

class ChangedExchange implements DerivedExchange {
  readonly context: CallContext
  readonly #behind: Exchange
  readonly #changes: ExchangeChanges
  #ended: EndReason | undefined = undefined
  #isFollowing = false
  #listeners: EndListeners = undefined
  #signal: EndSignal | undefined = undefined

  constructor(behind: Exchange, changes: ExchangeChanges) {
    this.context = changes.context ?? behind.context
    this.#behind = behind
    this.#changes = changes
  }

  get id(): string {
    return this.#behind.id
  }

  get attempt(): number {
    return this.#behind.attempt
  }

  get options(): JsonObject | undefined {
    return this.#behind.options
  }

  get wantsProgress(): boolean {
    return this.#behind.wantsProgress
  }

  get deadline(): number {
    return this.#changes.deadline ?? this.#behind.deadline
  }

  get ended(): EndReason | undefined {
    return this.#ended ?? this.#behind.ended
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#signal = new EndSignal()
      this.follow()
      if (this.#ended !== undefined) this.#signal.abort(this.#ended)
    }
    return this.#signal.signal
  }

  onEnd(listener: EndListener): void {
    this.follow()
    if (this.#ended === undefined) this.#listeners = withListener(this.#listeners, listener)
    else this.#tell(listener, this.#ended)
  }

  ack(ack?: Ack): void {
    if (this.#ended === undefined) this.#behind.ack(ack)
  }

  progress(update: Progress): void {
    if (this.#ended === undefined) this.#behind.progress(update)
  }

  chunk(data: unknown): Promise<void> | undefined {
    if (this.#ended !== undefined) return undefined
    return this.#changes.chunk === undefined ? this.#behind.chunk(data) : this.#changes.chunk(data)
  }

  notify(notification: NotificationBody): void {
    if (this.#ended !== undefined) return
    if (this.#changes.notify === undefined) this.#behind.notify(notification)
    else this.#changes.notify(notification)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return this.#changes.ask === undefined ? this.#behind.ask(request, options) : this.#changes.ask(request, options)
  }

  follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    if (this.#ended === undefined) this.#behind.onEnd(new Follower(this))
  }

  end(reason: EndReason): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    const listeners = this.#listeners
    this.#listeners = undefined
    this.#tell(listeners, reason)
    this.#signal?.abort(reason)
    this.#changes.ended?.(reason)
  }

  #tell(listeners: EndListeners, reason: EndReason): void {
    tellEnd(listeners, reason, this, (error) => this.#changes.crashed?.(error))
  }
}

/** Ends an exchange when the one behind it ends. */
class Follower implements EndListener {
  readonly #derived: DerivedExchange

  constructor(derived: DerivedExchange) {
    this.#derived = derived
  }

  ended(reason: EndReason): void {
    this.#derived.end(reason)
  }
}
