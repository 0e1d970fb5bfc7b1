import type { ErrorReporter } from '@junctor/contracts'
import { LinkedList, type ListNode } from '@junctor/primitives'

/** An item that is notified when it was idle for a while. */
export interface Watched {
  quiet(): void
  /** Set by the watch: when watching began, in ticks. */
  watchedSince: number
}

/**
 * Notifies items that were idle for a while. One timer serves all: a timer for each answer costs more than the answer.
 * A notification is late by at most half of the time.
 */
export class IdleWatch {
  /** The item that is watched for longest comes first. */
  readonly #watched = new LinkedList<Watched>()
  readonly #tickMs: number
  readonly #reportError: ErrorReporter
  #looks = 0
  #timer: NodeJS.Timeout | undefined

  /** @param reportError called when an item throws on its notification; the other items are notified anyway */
  constructor(quietMs: number, reportError: ErrorReporter) {
    this.#reportError = reportError
    this.#tickMs = Math.ceil(quietMs / 2)
  }

  /**
   * Watches from now on; for an item that is watched already, starts again. The item is notified once, then removed.
   */
  watch(place: ListNode<Watched>): void {
    place.item.watchedSince = this.#looks
    this.#watched.append(place)
    this.#timer ??= setInterval(() => this.#look(), this.#tickMs).unref()
  }

  /** Removes all items, and stops the timer. */
  close(): void {
    for (let { first } = this.#watched; first !== undefined; { first } = this.#watched) this.#watched.remove(first)
    this.#rest()
  }

  #look(): void {
    this.#looks += 1
    for (let { first } = this.#watched; first !== undefined; { first } = this.#watched) {
      // Watching began somewhere between two ticks, so the third tick comes after two whole periods.
      if (this.#looks - first.item.watchedSince < 3) return
      this.#watched.remove(first)
      try {
        first.item.quiet()
      } catch (error) {
        this.#reportError('connection', error)
      }
    }
    // The timer outlives the last item by one tick: a steady trickle of short answers then starts no timers.
    this.#rest()
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
