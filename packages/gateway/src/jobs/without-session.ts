import type {
  Ack,
  Answer,
  AskOptions,
  CallContext,
  ClientRequest,
  EndListener,
  EndReason,
  Exchange,
  NotificationBody,
  Progress,
} from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'

/** The exchange of a job whose session is gone: the job is still its principal's, who may collect it. */
export class WithoutSession implements Exchange {
  readonly context: CallContext
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    this.context = { ...exchange.context, session: undefined }
  }

  get id(): string {
    return this.#exchange.id
  }

  get attempt(): number {
    return this.#exchange.attempt
  }

  get deadline(): number {
    return this.#exchange.deadline
  }

  get options(): JsonObject | undefined {
    return this.#exchange.options
  }

  get wantsProgress(): boolean {
    return this.#exchange.wantsProgress
  }

  get ended(): EndReason | undefined {
    return this.#exchange.ended
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }

  onEnd(listener: EndListener): void {
    this.#exchange.onEnd({ ended: (reason) => listener.ended(reason, this) })
  }

  ack(ack?: Ack): void {
    this.#exchange.ack(ack)
  }

  progress(update: Progress): void {
    this.#exchange.progress(update)
  }

  chunk(data: unknown): Promise<void> | undefined {
    return this.#exchange.chunk(data)
  }

  notify(notification: NotificationBody): void {
    this.#exchange.notify(notification)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return this.#exchange.ask(request, options)
  }
}
