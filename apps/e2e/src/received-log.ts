import type { JsonObject } from '@junctor/jsonrpc'
import type { Received } from './wire.ts'

/** The received messages, and the callers that wait for further ones. */
export interface ReceivedLog {
  readonly received: readonly Received[]
  readonly add: (received: Received) => void
  readonly until: (fits: (received: Received) => boolean) => Promise<Received>
  readonly onMessage: (see: (message: JsonObject) => void) => void
}

/**
 * Keeps every message. `until` returns an earlier match at once, and has no timeout of its own: that of the test ends
 * the wait.
 */
export function createReceivedLog(): ReceivedLog {
  const received: Received[] = []
  const waiting = new Set<(item: Received) => void>()
  const watching: ((message: JsonObject) => void)[] = []

  return {
    received,
    add(item) {
      received.push(item)
      for (const see of watching) see(item.message)
      for (const see of waiting) see(item)
    },
    until(fits) {
      const found = received.find(fits)
      if (found !== undefined) return Promise.resolve(found)
      return new Promise((resolve) => {
        const see = (item: Received): void => {
          if (!fits(item)) return
          waiting.delete(see)
          resolve(item)
        }
        waiting.add(see)
      })
    },
    onMessage(see) {
      watching.push(see)
    },
  }
}
