import type { Caught } from '@junctor/contracts'
import { LinkedList, type Place } from '@junctor/primitives'

/** Told when it was left alone for a while. */
export interface Watched {
  quiet(): void
  /** The watch's own: when watching began, in looks. */
  watchedSince: number
}

/**
 * Notices what nothing was heard of for a while: one timer for all, because a timer for each answer costs more than
 * the answer. It tells late by at most half of the time.
 */
export class QuietWatch {
  /** The one that is watched for longest is the first. */
  readonly #watched = new LinkedList<Watched>()
  readonly #tickMs: number
  readonly #caught: Caught
  #looks = 0
  #timer: NodeJS.Timeout | undefined

  /** @param caught told of one that throws when it is told; the others are told, too */
  constructor(quietMs: number, caught: Caught) {
    this.#caught = caught
    this.#tickMs = Math.ceil(quietMs / 2)
  }

  /** From now on; again from the start for one that is watched already. It is told once, then no longer watched. */
  watch(place: Place<Watched>): void {
    place.item.watchedSince = this.#looks
    this.#watched.append(place)
    this.#timer ??= setInterval(() => this.#look(), this.#tickMs).unref()
  }

  /** Forgets all, and stops the timer. */
  close(): void {
    for (let { first } = this.#watched; first !== undefined; { first } = this.#watched) this.#watched.remove(first)
    this.#rest()
  }

  #look(): void {
    this.#looks += 1
    for (let { first } = this.#watched; first !== undefined; { first } = this.#watched) {
      // Watching began somewhere between two looks, so the third look comes after two whole ticks.
      if (this.#looks - first.item.watchedSince < 3) return
      this.#watched.remove(first)
      try {
        first.item.quiet()
      } catch (error) {
        this.#caught('connection', error)
      }
    }
    // The timer outlives the last one by a look: a steady trickle of short answers then starts no timers.
    this.#rest()
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
