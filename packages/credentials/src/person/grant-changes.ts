import { randomUUID } from 'node:crypto'
import type { Log, Store } from '@junctor/contracts'

/** Tells links of all nodes that some grant has changed. */
export interface GrantChanges {
  /** Called after a grant was made or ended. */
  announce(): Promise<void>
  /** Registers a listener, which is called within a second or two of a change at any node. Returns its end. */
  watch(listener: () => void): () => void
  close(): void
}

/** How often a node reads the record of changes, in milliseconds: one read for all links of a backend. */
const pollMs = 1_000

const record = 'latest'

/** Creates the changes of one backend. */
export function createGrantChanges(store: Store<string>, log: Log): GrantChanges {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let seen: string | undefined
  let isReading = false

  async function look(): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      const latest = (await store.get(record))?.value
      if (latest !== undefined && latest !== seen) {
        seen = latest
        for (const listener of listeners) listener()
      }
    } catch (error) {
      log.warn('changes of grants cannot be read now', { error })
    } finally {
      isReading = false
    }
  }

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    async announce() {
      await store.put(record, randomUUID())
    },
    watch(listener) {
      listeners.add(listener)
      timer ??= setInterval(() => void look(), pollMs).unref()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    close: stop,
  }
}
