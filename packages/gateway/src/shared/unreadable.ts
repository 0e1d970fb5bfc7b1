import type { Log } from '@junctor/contracts'

/** How often data of one kind are logged at most, in milliseconds. */
const everyMs = 60_000

/**
 * Called with data of another node that this version cannot read, perhaps because the node has another version.
 *
 * @param kind the service or the store that the data came by
 * @param key which of its data, or whose; never a credential
 */
export type Unreadable = (kind: string, key: string) => void

/** Counts such data, and logs each kind the first time and then once a minute, with the count since. */
export function createUnreadable(log: Log, clock: () => number = () => performance.now()): Unreadable {
  const noted = new Map<string, { loggedAt: number; count: number }>()
  return (kind, key) => {
    const note = noted.get(kind) ?? { loggedAt: -Infinity, count: 0 }
    noted.set(kind, note)
    note.count += 1
    if (clock() - note.loggedAt < everyMs) return
    log.warn('data of another node cannot be read; does it run another version?', { kind, key, count: note.count })
    note.loggedAt = clock()
    note.count = 0
  }
}
