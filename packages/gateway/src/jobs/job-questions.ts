/** The questions of a job that its client has not answered. */
export class JobQuestions {
  /** Each with what takes it back where it was asked. */
  readonly #open = new Map<string, AbortController>()
  readonly #tell: (kind: 'ask' | 'go_on') => void

  /** @param tell hears when the job begins to wait for answers, and when it goes on */
  constructor(tell: (kind: 'ask' | 'go_on') => void) {
    this.#tell = tell
  }

  ask(askId: string): void {
    if (this.#open.size === 0) this.#tell('ask')
    this.signal(askId)
  }

  /** Aborts when a question is answered or taken back. */
  signal(askId: string): AbortSignal {
    let controller = this.#open.get(askId)
    if (controller === undefined) this.#open.set(askId, (controller = new AbortController()))
    return controller.signal
  }

  /** It is answered, or taken back. */
  settle(askId: string): void {
    const controller = this.#open.get(askId)
    if (!this.#open.delete(askId)) return
    controller?.abort()
    if (this.#open.size === 0) this.#tell('go_on')
  }
}
