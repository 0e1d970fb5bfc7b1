import type { Log } from '@junctor/contracts'
import { PacedCounts } from '@junctor/primitives'

/**
 * Called with data of another node that this version cannot read, perhaps because the node has another version.
 *
 * @param kind the service or the store that the data came by
 * @param key which of its data, or whose; never a credential
 */
export type Unreadable = (kind: string, key: string) => void

/** Counts such data, and logs each kind the first time and then once a minute, with the count since. */
export function createUnreadable(log: Log, clock: () => number = () => performance.now()): Unreadable {
  const counts = new PacedCounts<string>()
  return (kind, key) => {
    const count = counts.add(kind, clock())
    if (count === undefined) return
    log.warn('data of another node cannot be read; does it run another version?', { kind, key, count })
  }
}
