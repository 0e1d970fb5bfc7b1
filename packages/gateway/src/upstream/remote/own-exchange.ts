import type {
  Answer,
  AskOptions,
  CallContext,
  ClientRequest,
  EndListener,
  EndListeners,
  EndReason,
  Exchange,
  NotificationBody,
} from '@junctor/exchange'
import { tellEnd, withListener } from '@junctor/exchange'
import { upstreamError } from '../../shared/errors.ts'

/** What an exchange of the gateway's own is used for. What is left out goes nowhere; questions are refused. */
export interface OwnExchangeUse {
  notify?(notification: NotificationBody): void
  ask?(request: ClientRequest, options?: AskOptions): Promise<Answer>
  chunk?(data: unknown): void
}

/** An exchange that no client's request is behind, for what nodes ask of each other. It has no deadline. */
export class OwnExchange implements Exchange {
  readonly id: string
  readonly context: CallContext
  readonly attempt = 1
  readonly deadline: number = Number.MAX_SAFE_INTEGER
  readonly options = undefined
  readonly wantsProgress = false
  ended: EndReason | undefined = undefined
  readonly #use: OwnExchangeUse
  #controller: AbortController | undefined = undefined
  #listeners: EndListeners = undefined

  constructor(id: string, context: CallContext, use: OwnExchangeUse = {}) {
    this.id = id
    this.context = context
    this.#use = use
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.ended !== undefined) this.#controller.abort(this.ended)
    }
    return this.#controller.signal
  }

  onEnd(listener: EndListener): void {
    if (this.ended !== undefined) tellEnd(listener, this.ended, this)
    else this.#listeners = withListener(this.#listeners, listener)
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
    tellEnd(this.#listeners, reason, this)
    this.#listeners = undefined
    this.#controller?.abort(reason)
  }
}
