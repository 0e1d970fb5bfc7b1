/** The errors that an SDK reports outside of calls. */
export class Complaints {
  #last: { readonly what: string; readonly at: number } | undefined

  add(what: string): void {
    this.#last = { what, at: performance.now() }
  }

  /** The last error, if it came after a moment, in milliseconds of `performance.now()`. */
  since(moment: number): string | undefined {
    return this.#last !== undefined && this.#last.at > moment ? this.#last.what : undefined
  }
}
