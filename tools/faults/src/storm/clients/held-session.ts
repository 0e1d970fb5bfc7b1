/** A session of an official SDK. */
export interface OfficialSession {
  call(name: string, input: Readonly<Record<string, unknown>>, following: Following): Promise<unknown>
  /** Whether its connection is gone. Always false over HTTP, where it needs none. */
  isOver(): boolean
  close(): Promise<void>
}

/** The SDKs' options for a call with progress. */
interface Following {
  readonly onprogress: (progress: Progress) => void
  readonly signal: AbortSignal
}

/** The progress of a call. */
export interface Progress {
  readonly message?: string | undefined
}

/** A session in use. A replaced session is closed when its last call has ended, which may still get its answer. */
export class HeldSession {
  readonly #session: OfficialSession
  readonly #closed = Promise.withResolvers<void>()
  #calls = 0
  #isLeft = false

  constructor(session: OfficialSession) {
    this.#session = session
  }

  /** Whether new calls must use another session. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Whether its connection is gone. */
  get isOver(): boolean {
    return this.#session.isOver()
  }

  /** Resolves when it was replaced, and is closed. */
  get closed(): Promise<void> {
    return this.#closed.promise
  }

  /** Rejects like the SDK. */
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
