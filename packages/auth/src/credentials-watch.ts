import type { CredentialsListener, Head, WatchCredentials } from '@junctor/contracts'

/** Whether the credentials of a head are still good. `unknown`: nobody can say at the moment. */
export type Standing = 'good' | 'withdrawn' | 'unknown'

export interface CredentialsWatchOptions {
  /** Judges the credentials of a head again. It may be asked often: it has to remember. */
  standing(head: Head): Standing | Promise<Standing>
  /** Receives errors of `standing` and of listeners. */
  failed(error: unknown): void
}

/** The open streams and connections, whose credentials are judged again and again. */
export interface CredentialsWatch {
  readonly watch: WatchCredentials
  /** Judges all of them now, because the configuration has changed. */
  check(): void
  /** Ends all watches. Idempotent. */
  close(): void
}

/** How long after one round the next one begins, in milliseconds: withdrawn credentials have to show within a second. */
const pauseMs = 400

/** How many are judged at the same time, so that others have room to ask an authorization server too. */
const atOnce = 16

interface Watched {
  readonly head: Head
  readonly listener: CredentialsListener
}

/** Judges the credentials of everything that stays open, in rounds, as long as there is any. */
export function createCredentialsWatch({ standing, failed }: CredentialsWatchOptions): CredentialsWatch {
  const watched = new Set<Watched>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isAskedAgain = false

  const judge = async (one: Watched): Promise<void> => {
    try {
      const judged = standing(one.head)
      if ((typeof judged === 'string' ? judged : await judged) !== 'withdrawn') return
      if (watched.delete(one)) one.listener.withdrawn()
    } catch (error) {
      failed(error)
    }
  }

  const round = async (): Promise<void> => {
    const all = [...watched]
    for (let at = 0; at < all.length; at += atOnce) {
      // oxlint-disable-next-line no-await-in-loop -- some at a time
      await Promise.all(all.slice(at, at + atOnce).map(judge))
    }
  }

  const run = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isRunning) {
      isAskedAgain = true
      return
    }
    isRunning = true
    void round().then(() => {
      isRunning = false
      if (isAskedAgain) {
        isAskedAgain = false
        run()
      } else plan()
    })
  }

  const plan = (): void => {
    if (watched.size === 0 || isRunning || timer !== undefined) return
    timer = setTimeout(run, pauseMs)
    timer.unref()
  }

  return {
    watch(head, listener) {
      const one = { head, listener }
      watched.add(one)
      plan()
      return () => {
        watched.delete(one)
        if (watched.size > 0) return
        clearTimeout(timer)
        timer = undefined
      }
    },
    check: run,
    close() {
      watched.clear()
      clearTimeout(timer)
      timer = undefined
    },
  }
}
