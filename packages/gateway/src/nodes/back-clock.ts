import type { Fabric } from '@junctor/contracts'

/** How long nodes need to come back to NATS, and to write again what storage has lost, in milliseconds. */
const backMs = 3_000

/** Knows when this node began, and when it could last reach the others again after it could not. */
export interface BackClock {
  /** It is back since less than 3 s: others may be on their way back, and records of theirs may not be written again yet. */
  isRecentlyBack(): boolean
  /** The same, or it has begun since less than 3 s. */
  isRecentlyHere(): boolean
  /** Calls this each time that the node is back, before it receives or answers anything else. */
  onBack(hear: () => void): void
  /** Hears no more when the node is back. */
  close(): void
}

export function createBackClock(fabric: Pick<Fabric, 'onBack'>): BackClock {
  const begunAt = performance.now()
  const hearers: (() => void)[] = []
  let backAt = -Infinity
  const close = fabric.onBack(() => {
    backAt = performance.now()
    for (const hear of hearers) hear()
  })
  return {
    isRecentlyBack: () => isRecent(backAt),
    isRecentlyHere: () => isRecent(Math.max(backAt, begunAt)),
    onBack: (hear) => void hearers.push(hear),
    close,
  }
}

/** @param at on the clock of `performance.now` */
function isRecent(at: number): boolean {
  return performance.now() - at < backMs
}
