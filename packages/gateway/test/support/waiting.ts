/** Those who wait until something holds. */
export class Waiting {
  readonly #checks = new Set<() => void>()

  /** Resolves when it holds, now or after a later `look`. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!holds()) return
        this.#checks.delete(check)
        resolve()
      }
      this.#checks.add(check)
      check()
    })
  }

  /** Called when something may hold now. */
  look(): void {
    for (const check of this.#checks) check()
  }
}
