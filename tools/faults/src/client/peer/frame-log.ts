import type { JsonObject } from '@junctor/jsonrpc'

/** The received frames of a peer, and the waiters for frames to come. */
export interface FrameLog {
  readonly frames: readonly string[]
  readonly messages: readonly JsonObject[]
  add(frame: string): void
  until(what: string, fits: (message: JsonObject) => boolean): Promise<JsonObject>
}

/** Long enough for a busy machine. */
const timeoutMs = 30_000

/** Keeps every frame. `until` rejects after 30 s by default: long enough for a busy machine. */
export function createFrameLog(): FrameLog {
  const frames: string[] = []
  const messages: JsonObject[] = []
  const waiting = new Set<(message: JsonObject) => void>()
  return {
    frames,
    messages,
    add(frame) {
      frames.push(frame)
      const parsed = JSON.parse(frame) as JsonObject | JsonObject[]
      for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
        messages.push(message)
        for (const see of waiting) see(message)
      }
    },
    until(what, fits) {
      const found = messages.find(fits)
      if (found !== undefined) return Promise.resolve(found)
      return new Promise((resolve, reject) => {
        const see = (message: JsonObject): void => {
          if (!fits(message)) return
          clearTimeout(timer)
          waiting.delete(see)
          resolve(message)
        }
        const timer = setTimeout(() => {
          waiting.delete(see)
          const last = frames.at(-1)?.slice(0, 300) ?? 'none'
          reject(
            new Error(
              `Expected ${what} within ${timeoutMs} ms, got ${messages.length} other messages; the last: ${last}`,
            ),
          )
        }, timeoutMs)
        waiting.add(see)
      })
    },
  }
}
