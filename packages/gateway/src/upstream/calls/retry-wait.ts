import type { Link } from '@junctor/contracts'
import type { EndListener, EndReason, Exchange } from '@junctor/exchange'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/deadlines.ts'
import { waitAtMost } from '../../shared/timeouts.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot } from '../links/link-slot.ts'

/** How a wait has ended. */
export type Waited =
  /** The link must be released once. */
  | { readonly kind: 'link'; readonly link: Link }
  /** There is no link. */
  | { readonly kind: 'none' }
  /** The caller does not wait any more. */
  | { readonly kind: 'over'; readonly situation: 'cancelled' | 'deadline_exceeded' }

/** A call that waits for a new link, until its deadline or the end of its exchange at the latest. */
export class RetryWait implements Timed, EndListener {
  readonly deadline: number
  readonly #clock: Clock
  readonly #over = Promise.withResolvers<Extract<Waited, { kind: 'over' }>>()

  constructor(clock: Clock, deadline: number) {
    this.deadline = deadline
    this.#clock = clock
  }

  /**
   * Waits for the pause, then for the slot's link.
   *
   * @param isWanted asked after the pause: false: there is no use in a link
   */
  async link(
    exchange: Exchange,
    waitMs: number,
    pool: Pick<LinkPool, 'acquire' | 'release'>,
    slot: LinkSlot,
    isWanted: () => boolean,
  ): Promise<Waited> {
    const { deadlines } = this.#clock
    const { promise: over } = this.#over
    deadlines.add(this)
    exchange.onEnd(this)
    try {
      const paused = waitAtMost(this.#clock, waitMs, over).then(() => undefined)
      const early = await Promise.race([over, paused])
      if (early !== undefined) return early
      if (!isWanted()) return { kind: 'none' }
      const opened = await Promise.race([over, pool.acquire(slot)])
      if (!('kind' in opened)) return { kind: 'link', link: opened }
      pool.release(slot)
      return opened.kind === 'over' ? opened : { kind: 'none' }
    } finally {
      deadlines.remove(this)
    }
  }

  expire(): void {
    this.#over.resolve({ kind: 'over', situation: 'deadline_exceeded' })
  }

  ended(reason: EndReason): void {
    this.#over.resolve({ kind: 'over', situation: reason === 'deadline' ? 'deadline_exceeded' : 'cancelled' })
  }
}
