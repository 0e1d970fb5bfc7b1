/** What an SDK finds wrong outside of calls. */
export class Complaints {
  #last: { readonly what: string; readonly at: number } | undefined

  add(what: string): void {
    this.#last = { what, at: performance.now() }
  }

  /** The last one, if it came after a moment, in milliseconds as `performance.now()` gives them. */
  since(moment: number): string | undefined {
    return this.#last !== undefined && this.#last.at > moment ? this.#last.what : undefined
  }
}
