import type {
  Answer,
  AskOptions,
  CallContext,
  ClientRequest,
  EndListener,
  EndReason,
  Exchange,
  NotificationBody,
} from '@junctor/exchange'
import { upstreamError } from '../errors.ts'

/** What an exchange of the gateway's own is used for. What is left out goes nowhere; questions are refused. */
export interface OwnExchangeUse {
  notify?(notification: NotificationBody): void
  ask?(request: ClientRequest, options?: AskOptions): Promise<Answer>
  chunk?(data: unknown): void
}

/** An exchange that no client's request is behind, for what nodes say to each other. It has no deadline. */
export class OwnExchange implements Exchange {
  readonly id: string
  readonly context: CallContext
  readonly attempt = 1
  readonly deadline: number = Number.MAX_SAFE_INTEGER
  readonly options = undefined
  readonly wantsProgress = false
  ended: EndReason | undefined = undefined
  readonly #use: OwnExchangeUse
  readonly #controller = new AbortController()
  #listeners: EndListener[] = []

  constructor(id: string, context: CallContext, use: OwnExchangeUse = {}) {
    this.id = id
    this.context = context
    this.#use = use
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  onEnd(listener: EndListener): void {
    if (this.ended !== undefined) listener.ended(this.ended, this)
    else this.#listeners.push(listener)
  }

  ack(): void {}

  progress(): void {}

  notify(notification: NotificationBody): void {
    this.#use.notify?.(notification)
  }

  chunk(data: unknown): undefined {
    this.#use.chunk?.(data)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return (
      this.#use.ask?.(request, options) ?? Promise.resolve({ error: upstreamError(this.context, 'ask_not_supported') })
    )
  }

  /** Ends it, and what is done for it elsewhere. Idempotent. */
  end(reason: EndReason): void {
    if (this.ended !== undefined) return
    this.ended = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener.ended(reason, this)
    this.#controller.abort(reason)
  }
}
