import type { Fabric } from '@junctor/contracts'

/** How long nodes need to reconnect to NATS and to write lost records again, in milliseconds. */
const rejoinMs = 3_000

/**
 * How long a node needs to hear of every other node that is present, in milliseconds: longer than the silence after
 * which a node counts as lost.
 */
const introducedMs = 10_000

/** Knows when this node started, and when it last reconnected to the others. */
export interface ReconnectClock {
  /**
   * Whether it reconnected less than 3 s ago: other nodes may still be reconnecting, and their records may be missing.
   */
  hasRecentlyReconnected(): boolean
  /** The same, or it started less than 3 s ago. */
  hasRecentlyJoined(): boolean
  /**
   * Whether it joined or reconnected less than 10 s ago: a node that it has not heard of may be present nevertheless,
   * and too slow to answer.
   */
  mayNotKnowAll(): boolean
  /** Registers a listener that is called after each reconnect, before the node receives or answers anything else. */
  onReconnect(listener: () => void): void
  /** Unsubscribes from reconnects. */
  close(): void
}

/** Creates the clock of a fabric's connections. */
export function createReconnectClock(fabric: Pick<Fabric, 'onReconnect'>): ReconnectClock {
  const startedAt = performance.now()
  const listeners: (() => void)[] = []
  let reconnectedAt = -Infinity
  const close = fabric.onReconnect(() => {
    reconnectedAt = performance.now()
    for (const listener of listeners) listener()
  })
  return {
    hasRecentlyReconnected: () => isWithin(rejoinMs, reconnectedAt),
    hasRecentlyJoined: () => isWithin(rejoinMs, Math.max(reconnectedAt, startedAt)),
    mayNotKnowAll: () => isWithin(introducedMs, Math.max(reconnectedAt, startedAt)),
    onReconnect: (listener) => void listeners.push(listener),
    close,
  }
}

/** @param at in milliseconds of `performance.now` */
function isWithin(ms: number, at: number): boolean {
  return performance.now() - at < ms
}
