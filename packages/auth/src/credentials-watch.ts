import type { CredentialsListener, Head, WatchCredentials } from '@junctor/contracts'

/** Whether the credentials of a head are still good. `unknown`: this cannot be determined now. */
export type CredentialsStatus = 'good' | 'withdrawn' | 'unknown'

/** Options of a {@link CredentialsWatch}. */
export interface CredentialsWatchOptions {
  /** Judges the credentials of a head again. It may be asked often: it has to remember. */
  readonly standing: (head: Head) => CredentialsStatus | Promise<CredentialsStatus>
  /** Receives errors of `standing` and of listeners. */
  readonly failed: (error: unknown) => void
}

/** How long after one round the next one begins, in milliseconds: withdrawn credentials have to show within a second. */
const pauseMs = 400

/** How many are judged at the same time, so that others have room to ask an authorization server too. */
const atOnce = 16

interface Watched {
  readonly head: Head
  readonly listener: CredentialsListener
  /** Whether its credentials had to be asked about. */
  isAsked: boolean
}

/**
 * The open streams and connections. The credentials of all are judged in rounds, as long as there are any, because nobody
 * says when credentials are withdrawn.
 */
export class CredentialsWatch {
  readonly #options: CredentialsWatchOptions
  readonly #watched = new Set<Watched>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #round: 'none' | 'under way' | 'to be repeated' = 'none'

  constructor(options: CredentialsWatchOptions) {
    this.#options = options
  }

  readonly watch: WatchCredentials = (head, listener) => {
    const one = { head, listener, isAsked: false }
    this.#watched.add(one)
    this.#plan()
    return () => {
      this.#watched.delete(one)
      if (this.#watched.size === 0) this.#unplan()
    }
  }

  /** Judges all of them now, because the configuration has changed. */
  check(): void {
    this.#unplan()
    if (this.#round === 'none') void this.#judgeAll()
    else this.#round = 'to be repeated'
  }

  /** Ends all watches. Idempotent. */
  close(): void {
    this.#watched.clear()
    this.#unplan()
  }

  #plan(): void {
    if (this.#watched.size === 0 || this.#round !== 'none' || this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.check(), pauseMs)
    this.#timer.unref()
  }

  #unplan(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #judgeAll(): Promise<void> {
    this.#round = 'under way'
    let asked: Promise<void>[] = []
    // Keys of the configuration do not wait for an authorization server that does not answer.
    for (const one of [...this.#watched].toSorted((a, b) => Number(a.isAsked) - Number(b.isAsked))) {
      const judging = this.#judge(one)
      if (judging !== undefined) asked.push(judging)
      if (asked.length < atOnce) continue
      // oxlint-disable-next-line no-await-in-loop -- some at a time
      await Promise.all(asked)
      asked = []
      if (this.#isRepeated) break
    }
    await Promise.all(asked)
    const isRepeated = this.#isRepeated
    this.#round = 'none'
    if (isRepeated) this.check()
    else this.#plan()
  }

  /** The configuration has changed during a round. */
  get #isRepeated(): boolean {
    return this.#round === 'to be repeated'
  }

  #judge(one: Watched): Promise<void> | undefined {
    try {
      const standing = this.#options.standing(one.head)
      if (typeof standing === 'string') return this.#endWithdrawn(one, standing)
      one.isAsked = true
      return standing.then((known) => this.#endWithdrawn(one, known)).catch(this.#options.failed)
    } catch (error) {
      this.#options.failed(error)
      return undefined
    }
  }

  #endWithdrawn(one: Watched, standing: CredentialsStatus): undefined {
    // It may have ended meanwhile.
    if (standing === 'withdrawn' && this.#watched.delete(one)) one.listener.withdrawn()
  }
}
