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
   * @param ms how long it is waited for, in milliseconds
   * @param silence the answer when none has come by then
   */
  wait(id: string, ms: number, silence: Answer): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => this.answer(id, silence), ms)
    this.#calls.set(id, { done: resolve, timer })
    return promise
  }

  /** False when nobody waits for it. */
  answer(id: string, answer: Answer): boolean {
    const call = this.#calls.get(id)
    this.forget(id)
    call?.done(answer)
    return call !== undefined
  }

  /** Nobody waits for it any more. */
  forget(id: string): void {
    clearTimeout(this.#calls.get(id)?.timer)
    this.#calls.delete(id)
  }

  /** No other answers will come: this is that of all calls that wait. */
  answerAll(answer: Answer): void {
    for (const id of this.#calls.keys()) this.answer(id, answer)
  }
}
