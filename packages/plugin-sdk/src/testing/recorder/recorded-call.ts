import type {
  Ack,
  AskOptions,
  CallContext,
  EndListener,
  EndReason,
  Exchange,
  NotificationBody,
  Outcome,
  Progress,
  ToolCallOptions,
} from '@junctor/exchange'
import type { Answer, JsonObject, Payload, Request } from '@junctor/jsonrpc'
import { type ClientRequest, methods } from '@junctor/protocol'
import type { RecordingWriter } from './recording-writer.ts'

/** The exchange of a call that is recorded: it writes down what the backend does with it, and does it. */
export class RecordedCall implements Exchange {
  readonly #number: number
  readonly #exchange: Exchange
  readonly #writer: RecordingWriter
  readonly #listeners = new Set<EndListener>()
  #asks = 0

  /** Writes the request down. */
  constructor(link: number, request: Request, exchange: Exchange, writer: RecordingWriter) {
    this.#number = writer.nextCall()
    this.#exchange = exchange
    this.#writer = writer
    const options = request.options && { options: writer.payload(request.options) }
    writer.write({ kind: 'call', call: this.#number, link, ...writer.message(request), ...options })
    // The backend gets the end with the exchange that it knows.
    exchange.onEnd({ ended: (reason) => this.#end(reason) })
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

  get context(): CallContext {
    return this.#exchange.context
  }

  onEnd(listener: EndListener): void {
    if (this.ended !== undefined) listener.ended(this.ended, this)
    else this.#listeners.add(listener)
  }

  begun(): void {
    this.#exchange.begun?.()
  }

  ack(ack: Ack = {}): void {
    this.#writer.write({ kind: 'ack', call: this.#number, ack: this.#writer.value(ack) as JsonObject })
    this.#exchange.ack(ack)
  }

  progress(update: Progress): void {
    const progress = this.#writer.value(update) as JsonObject
    this.#writer.write({ kind: 'progress', call: this.#number, progress })
    this.#exchange.progress(update)
  }

  chunk(data: unknown): Promise<void> | undefined {
    this.#writer.write({ kind: 'chunk', call: this.#number, data: this.#writer.value(data) })
    return this.#exchange.chunk(data)
  }

  notify(notification: NotificationBody): void {
    this.#writer.write({ kind: 'notification', call: this.#number, ...this.#writer.message(notification) })
    this.#exchange.notify(notification)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return this.#asked('client', request, () => this.#exchange.ask(request, options))
  }

  callTool(params: Payload | undefined, options?: ToolCallOptions): Promise<Answer> {
    const request = { method: methods.toolsCall, params }
    return this.#asked('gateway', request, () => this.#exchange.callTool(params, options))
  }

  /** The outcome of the call. */
  outcome(outcome: Outcome): Outcome {
    const call = this.#number
    // Backends give no other outcomes yet.
    if (outcome.kind === 'complete' || outcome.kind === 'error') {
      this.#writer.write({ kind: 'outcome', call, outcome: this.#writer.answer(outcome) })
    }
    return outcome
  }

  #end(reason: EndReason): void {
    this.#writer.write({ kind: 'end', call: this.#number, reason })
    for (const listener of this.#listeners) listener.ended(reason, this)
  }

  async #asked(to: 'client' | 'gateway', request: ClientRequest, send: () => Promise<Answer>): Promise<Answer> {
    const ask = (this.#asks += 1)
    const call = this.#number
    this.#writer.write({ kind: 'ask', call, ask, to, ...this.#writer.message(request) })
    const answer = await send()
    this.#writer.write({ kind: 'answer', call, ask, answer: this.#writer.answer(answer) })
    return answer
  }
}
