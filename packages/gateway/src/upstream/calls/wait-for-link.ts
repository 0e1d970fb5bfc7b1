import type { Link } from '@junctor/contracts'
import type { Exchange } from '@junctor/exchange'
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

/** A call that waits for a link. */
export interface WaitingForLink {
  readonly exchange: Exchange
  readonly slot: LinkSlot
  /** The pause before a link is asked for, in milliseconds. */
  readonly pauseMs: number
  /** Epoch milliseconds. */
  readonly deadline: number
  /** Asked after the pause. False: there is no use in a link. */
  readonly isWanted: () => boolean
}

/** Waits for the pause, then for the slot's link, until the deadline or the end of the exchange at the latest. */
export async function waitForLink(
  { clock, pool }: { readonly clock: Clock; readonly pool: Pick<LinkPool, 'acquire' | 'release'> },
  { exchange, slot, pauseMs, deadline, isWanted }: WaitingForLink,
): Promise<Waited> {
  const { promise: over, resolve } = Promise.withResolvers<Extract<Waited, { kind: 'over' }>>()
  const timed: Timed = { deadline, expire: () => resolve({ kind: 'over', situation: 'deadline_exceeded' }) }
  clock.deadlines.add(timed)
  exchange.onEnd({
    ended: (reason) => resolve({ kind: 'over', situation: reason === 'deadline' ? 'deadline_exceeded' : 'cancelled' }),
  })
  try {
    const paused = waitAtMost(clock, pauseMs, over).then(() => undefined)
    const early = await Promise.race([over, paused])
    if (early !== undefined) return early
    if (!isWanted()) return { kind: 'none' }
    const opened = await Promise.race([over, pool.acquire(slot)])
    if (!('kind' in opened)) return { kind: 'link', link: opened }
    pool.release(slot)
    return opened.kind === 'over' ? opened : { kind: 'none' }
  } finally {
    clock.deadlines.remove(timed)
  }
}
