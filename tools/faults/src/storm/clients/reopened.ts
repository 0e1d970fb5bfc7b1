/** What is opened when it is needed, and again when it was forgotten. */
export class Reopened<Opened> {
  readonly #open: () => Promise<Opened>
  readonly #forgotten: (opened: Opened) => void
  #opening: Promise<Opened> | undefined
  #opened: Opened | undefined

  /** @param forgotten told of each that was forgotten */
  constructor(open: () => Promise<Opened>, forgotten: (opened: Opened) => void = () => {}) {
    this.#open = open
    this.#forgotten = forgotten
  }

  /** What is open, or being opened. Rejects when it cannot be opened; whoever asks next tries again. */
  async get(): Promise<Opened> {
    const mine = (this.#opening ??= this.#start())
    try {
      return await mine
    } catch (error) {
      if (this.#opening === mine) this.#opening = undefined
      throw error
    }
  }

  /** Whoever asks next opens another one. Nothing happens when this is not the one that is open. */
  forget(opened: Opened): void {
    if (this.#opened !== opened) return
    this.#opened = undefined
    this.#opening = undefined
    this.#forgotten(opened)
  }

  /** What is open, or being opened, without opening it. Never rejects. */
  async current(): Promise<Opened | undefined> {
    return this.#opening?.catch(() => undefined)
  }

  async #start(): Promise<Opened> {
    this.#opened = await this.#open()
    return this.#opened
  }
}
