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
    const one = { head, listener }
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
    const all = [...this.#watched]
    for (let at = 0; at < all.length; at += atOnce) {
      // oxlint-disable-next-line no-await-in-loop -- some at a time
      await Promise.all(all.slice(at, at + atOnce).map((one) => this.#judge(one)))
    }
    const isRepeated = this.#isRepeated
    this.#round = 'none'
    if (isRepeated) this.check()
    else this.#plan()
  }

  /** The configuration has changed during a round. */
  get #isRepeated(): boolean {
    return this.#round === 'to be repeated'
  }

  async #judge(one: Watched): Promise<void> {
    try {
      const standing = this.#options.standing(one.head)
      if ((typeof standing === 'string' ? standing : await standing) !== 'withdrawn') return
      // It may have ended meanwhile.
      if (this.#watched.delete(one)) one.listener.withdrawn()
    } catch (error) {
      this.#options.failed(error)
    }
  }
}
