/** An object that is opened when it is needed, and again after it was forgotten. */
export class Reopened<Opened> {
  readonly #open: () => Promise<Opened>
  readonly #forgotten: (opened: Opened) => void
  #opening: Promise<Opened> | undefined
  #opened: Opened | undefined

  /** @param forgotten called with each object that was forgotten */
  constructor(open: () => Promise<Opened>, forgotten: (opened: Opened) => void = () => {}) {
    this.#open = open
    this.#forgotten = forgotten
  }

  /** The object that is open, or being opened. Rejects when it cannot be opened; the next call tries again. */
  async get(): Promise<Opened> {
    const mine = (this.#opening ??= this.#start())
    try {
      return await mine
    } catch (error) {
      if (this.#opening === mine) this.#opening = undefined
      throw error
    }
  }

  /** The next `get` opens another object. Does nothing when `opened` is not the current one. */
  forget(opened: Opened): void {
    if (this.#opened !== opened) return
    this.#opened = undefined
    this.#opening = undefined
    this.#forgotten(opened)
  }

  /** The object that is open, or being opened, without opening it. Never rejects. */
  async current(): Promise<Opened | undefined> {
    return this.#opening?.catch(() => undefined)
  }

  async #start(): Promise<Opened> {
    this.#opened = await this.#open()
    return this.#opened
  }
}
