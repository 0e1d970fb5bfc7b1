import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SingleUse } from './single-use.ts'

/** For how long the same link is given out again, in milliseconds. */
export const offeredAgainMs = 60_000

/** How many links a node remembers. */
const most = 10_000

/** The secrets of links that lead to pages, each of which works once. */
export interface OfferedLinks<T> {
  /** The secret of a link for these data: that of the last one, if it was made a moment ago and was not used. */
  secretFor(data: T): Promise<string>
}

interface Offered {
  readonly secret: string
  readonly until: number
}

/**
 * Creates links, and keeps their data. Programs ask for a link as often as they like, and each one that is not used is kept
 * for minutes.
 *
 * @param now epoch milliseconds
 */
export function createOfferedLinks<T>(links: Pick<SingleUse<T>, 'put' | 'look'>, now: () => number): OfferedLinks<T> {
  const offered = new LRUCache<string, Offered>({ maxSize: most, sizeCalculation: () => 1 })
  return {
    async secretFor(data) {
      const key = JSON.stringify(data)
      const last = offered.get(key)
      if (last !== undefined && now() < last.until && (await links.look(last.secret)) !== undefined) return last.secret
      const secret = randomBytes(32).toString('base64url')
      await links.put(secret, data)
      offered.set(key, { secret, until: now() + offeredAgainMs })
      return secret
    },
  }
}
