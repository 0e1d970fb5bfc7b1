/** A session of an official SDK. */
export interface OfficialSession {
  call(name: string, input: Readonly<Record<string, unknown>>, following: Following): Promise<unknown>
  /** Whether the connection that it lives on is gone. Over HTTP it lives on none. */
  isOver(): boolean
  close(): Promise<void>
}

/** What the SDKs want to know of a call that is followed while it runs. */
interface Following {
  readonly onprogress: (progress: Progress) => void
  readonly signal: AbortSignal
}

/** How far a call is. */
export interface Progress {
  readonly message?: string | undefined
}

/** A session in use. One that is left is closed when the last call on it has ended: that may still have its answer. */
export class HeldSession {
  readonly #session: OfficialSession
  readonly #closed = Promise.withResolvers<void>()
  #calls = 0
  #isLeft = false

  constructor(session: OfficialSession) {
    this.#session = session
  }

  /** Nothing new is called on it. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Whether the connection that it lives on is gone. */
  get isOver(): boolean {
    return this.#session.isOver()
  }

  /** Resolves when it was left, and is closed. */
  get closed(): Promise<void> {
    return this.#closed.promise
  }

  /** Rejects as the SDK does. */
  async call(...asked: Parameters<OfficialSession['call']>): Promise<unknown> {
    this.#calls += 1
    try {
      return await this.#session.call(...asked)
    } finally {
      this.#calls -= 1
      this.#closeWhenLeft()
    }
  }

  leave(): void {
    this.#isLeft = true
    this.#closeWhenLeft()
  }

  #closeWhenLeft(): void {
    if (!this.#isLeft || this.#calls > 0) return
    this.#session
      .close()
      .catch(() => {})
      .finally(() => this.#closed.resolve())
  }
}
