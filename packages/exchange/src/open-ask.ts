import type { AskEvent } from './event.ts'
import type { AskOptions } from './ask-options.ts'
import type { Answer, ClientRequest } from './outcome.ts'

/** Who an ask belongs to: told when the asker takes it back. */
export interface AskOwner {
  withdraw(ask: OpenAsk): void
}

/** A question to the client that has no answer yet. */
export class OpenAsk {
  readonly event: AskEvent
  readonly answer: Promise<Answer>
  /** Whether any outlet was given it, so that a client may know of it. */
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

  /** The asker's signal has aborted. */
  handleEvent(): void {
    this.#owner.withdraw(this)
  }
}
