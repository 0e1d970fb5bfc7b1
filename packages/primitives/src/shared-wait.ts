/** One promise for all that wait until something is over. What waits after that gets a new promise. */
export class SharedWait {
  #waiting: PromiseWithResolvers<void> | undefined

  /** Resolves at the next `end`. */
  wait(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>()
    return this.#waiting.promise
  }

  /** Lets all go on that wait now. */
  end(): void {
    this.#waiting?.resolve()
    this.#waiting = undefined
  }
}
