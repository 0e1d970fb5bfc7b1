import type { AskEvent } from './event.ts'
import type { AskOptions } from './ask-options.ts'
import type { ClientRequest } from './outcome.ts'
import type { Answer } from '@junctor/jsonrpc'

/** The owner of an ask. Called when the asker withdraws it. */
export interface AskOwner {
  withdraw(ask: OpenAsk): void
}

/** A request to the client that has no answer yet. */
export class OpenAsk {
  readonly event: AskEvent
  readonly answer: Promise<Answer>
  /** Whether an outlet has received it, so that a client may know it. */
  shown = false
  readonly #owner: AskOwner
  readonly #settle: (answer: Answer) => void

  constructor(id: string, request: ClientRequest, options: AskOptions | undefined, owner: AskOwner) {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.event = { kind: 'ask', id, request, options }
    this.answer = promise
    this.#settle = resolve
    this.#owner = owner
    options?.signal?.addEventListener('abort', this)
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
