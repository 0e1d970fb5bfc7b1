import type { AskEvent } from './event.ts'
import type { AskOptions } from './ask-options.ts'
import type { Answer } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'

/** The owner of an ask. Called when the asker withdraws it. */
export interface AskOwner {
  withdraw(ask: OpenAsk): void
}

/** A request to the client, or to the gateway, that has no answer yet. */
export class OpenAsk {
  readonly event: AskEvent
  readonly answer: Promise<Answer>
  /** Whether an outlet has received it, so that a client may know it. */
  shown = false
  readonly #owner: AskOwner
  readonly #settle: (answer: Answer) => void

  /** @param to see `AskEvent.to` */
  constructor(
    id: string,
    request: ClientRequest,
    to: AskEvent['to'],
    options: AskOptions | undefined,
    owner: AskOwner,
  ) {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.event = { kind: 'ask', id, request, to, options }
    this.answer = promise
    this.#settle = resolve
    this.#owner = owner
    options?.signal?.addEventListener('abort', this)
  }

  /** Whether a client answers it. */
  get isForClient(): boolean {
    return this.event.to === undefined
  }

  get guessed(): boolean {
    return this.event.options?.guessed === true
  }

  settle(answer: Answer): void {
    this.event.options?.signal?.removeEventListener('abort', this)
    this.#settle(answer)
  }

  /** Called when the asker's signal aborts. */
  handleEvent(): void {
    this.#owner.withdraw(this)
  }
}
