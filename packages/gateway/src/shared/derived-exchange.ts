import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Ack,
  type AskOptions,
  type CallContext,
  type EndListener,
  type EndListeners,
  type EndReason,
  type Exchange,
  type NotificationBody,
  notifyEnd,
  type Progress,
  type ToolCallOptions,
  withListener,
} from '@junctor/exchange'
import type { Answer, JsonObject, Payload } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'

/** The changes of a derived exchange. Everything that is absent is forwarded to the exchange behind it. */
export interface ExchangeChanges {
  readonly context?: CallContext
  /** Epoch milliseconds. Read on each use, so it may change. */
  readonly deadline?: number
  ack?(ack?: Ack): void
  progress?(update: Progress): void
  chunk?(data: unknown): Promise<void> | undefined
  notify?(notification: NotificationBody): void
  ask?(request: ClientRequest, options?: AskOptions): Promise<Answer>
  callTool?(params: Payload | undefined, options?: ToolCallOptions): Promise<Answer>
  /**
   * Called when it has ended, after its listeners. An end of the exchange behind it is reported only after `follow`.
   */
  ended?(reason: EndReason): void
  /** Called when a listener to its end threw. */
  crashed?(error: unknown): void
}

/**
 * An exchange that may end before the exchange behind it. It forwards everything to that exchange, except for the changes.
 * There is one for each call of a backend, so parts that most calls do not use are created on first use.
 */
export class DerivedExchange implements Exchange {
  readonly context: CallContext
  readonly wantsProgress: boolean
  readonly #behind: Exchange
  readonly #changes: ExchangeChanges
  #ended: EndReason | undefined = undefined
  #isFollowing = false
  #listeners: EndListeners = undefined
  #signal: EndSignal | undefined = undefined

  constructor(behind: Exchange, changes: ExchangeChanges) {
    this.context = changes.context ?? behind.context
    this.wantsProgress = behind.wantsProgress
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
    if (this.#ended !== undefined) this.#notifyListeners(listener, this.#ended)
    else this.#listeners = this.#listeners === undefined ? listener : withListener(this.#listeners, listener)
  }

  startedTask(task: string): void {
    if (this.#ended === undefined) this.#behind.startedTask?.(task)
  }

  ack(ack?: Ack): void {
    if (this.#ended !== undefined) return
    if (this.#changes.ack === undefined) this.#behind.ack(ack)
    else this.#changes.ack(ack)
  }

  progress(update: Progress): void {
    if (this.#ended !== undefined) return
    if (this.#changes.progress === undefined) this.#behind.progress(update)
    else this.#changes.progress(update)
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

  callTool(params: Payload | undefined, options?: ToolCallOptions): Promise<Answer> {
    return this.#changes.callTool === undefined
      ? this.#behind.callTool(params, options)
      : this.#changes.callTool(params, options)
  }

  /** From now on, it ends together with the exchange behind it. The first listener to its end has the same effect. */
  follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    if (this.#ended === undefined) this.#behind.onEnd(new Follower(this))
  }

  /** Ends it, but not the exchange behind it. Nothing is forwarded after that. Idempotent. */
  end(reason: EndReason): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    const listeners = this.#listeners
    this.#listeners = undefined
    this.#notifyListeners(listeners, reason)
    this.#signal?.abort(reason)
    this.#changes.ended?.(reason)
  }

  #notifyListeners(listeners: EndListeners, reason: EndReason): void {
    notifyEnd(listeners, reason, this, (error) => this.#changes.crashed?.(error))
  }
}

/** Ends an exchange when the exchange behind it ends. */
class Follower implements EndListener {
  readonly #derived: DerivedExchange

  constructor(derived: DerivedExchange) {
    this.#derived = derived
  }

  ended(reason: EndReason): void {
    this.#derived.end(reason)
  }
}

/**
 * The signal of one request. It aborts in the async context of the code that asked for it first: the process reports the
 * errors of listeners in the context that aborts, and an error of a plugin's listener must be known as the plugin's.
 */
class EndSignal {
  readonly #controller = new AbortController()
  readonly #asAsker = AsyncLocalStorage.snapshot()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: EndReason): void {
    this.#asAsker(() => this.#controller.abort(reason))
  }
}
