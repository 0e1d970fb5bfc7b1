interface PendingCall<Answer> {
  readonly done: (answer: Answer) => void
  readonly timer: NodeJS.Timeout
}

/** Calls that wait for their answers, by id. */
export class PendingCalls<Answer> {
  readonly #calls = new Map<string, PendingCall<Answer>>()

  /**
   * Resolves with the call's answer.
   *
   * @param ms timeout, in milliseconds
   * @param silence the answer after the timeout
   */
  wait(id: string, ms: number, silence: Answer): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => this.answer(id, silence), ms)
    this.#calls.set(id, { done: resolve, timer })
    return promise
  }

  /** Returns false when no caller waits for it. */
  answer(id: string, answer: Answer): boolean {
    const call = this.#calls.get(id)
    this.forget(id)
    call?.done(answer)
    return call !== undefined
  }

  /** Stops waiting for an answer. */
  forget(id: string): void {
    clearTimeout(this.#calls.get(id)?.timer)
    this.#calls.delete(id)
  }

  /** Answers all waiting calls, because no other answers will arrive. */
  answerAll(answer: Answer): void {
    for (const id of this.#calls.keys()) this.answer(id, answer)
  }
}
