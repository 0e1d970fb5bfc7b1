import type { Fabric } from '@junctor/contracts'

/** How long nodes need to reconnect to NATS and to write lost records again, in milliseconds. */
const backMs = 3_000

/** Knows when this node started, and when it last reconnected to the others. */
export interface ReconnectClock {
  /**
   * Whether it reconnected less than 3 s ago: other nodes may still be reconnecting, and their records may be missing.
   */
  isRecentlyBack(): boolean
  /** The same, or it started less than 3 s ago. */
  isRecentlyHere(): boolean
  /** Registers a listener that is called after each reconnect, before the node receives or answers anything else. */
  onReconnect(listener: () => void): void
  /** Unsubscribes from reconnects. */
  close(): void
}

export function createBackClock(fabric: Pick<Fabric, 'onReconnect'>): ReconnectClock {
  const begunAt = performance.now()
  const listeners: (() => void)[] = []
  let backAt = -Infinity
  const close = fabric.onReconnect(() => {
    backAt = performance.now()
    for (const listener of listeners) listener()
  })
  return {
    isRecentlyBack: () => isRecent(backAt),
    isRecentlyHere: () => isRecent(Math.max(backAt, begunAt)),
    onReconnect: (listener) => void listeners.push(listener),
    close,
  }
}

/** @param at in milliseconds of `performance.now` */
function isRecent(at: number): boolean {
  return performance.now() - at < backMs
}
