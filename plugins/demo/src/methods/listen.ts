import { setTimeout as delay } from 'node:timers/promises'
import { createMethod, type Method } from '@junctor/plugin-sdk'
import * as z from 'zod'

const params = z.object({
  entries: z.int().min(0).max(1_000_000).default(2).describe('How many entries'),
  everyMs: z.int().min(0).max(60_000).default(100).describe('Pause after each entry, in milliseconds'),
  forever: z.boolean().default(false).describe('Continue until the request is cancelled'),
})

/**
 * A method that streams numbered entries, as a source for clients that read streams.
 *
 * @param what the text before each number
 * @param end the result, after the last entry
 */
function createListen(name: string, what: string, end: string): Method {
  return createMethod({
    name,
    description: `A stream of entries: "${what} entry 1" and so on.`,
    params,
    async *handler({ entries, everyMs, forever }, { signal }) {
      const last = forever ? Infinity : entries
      // A stream without an end must not keep a processor busy when its caller forgets it.
      const pause = forever ? Math.max(everyMs, 1) : everyMs
      for (let entry = 1; entry <= last; entry += 1) {
        yield `${what} entry ${entry}`
        if (pause > 0) await delay(pause, undefined, { signal })
      }
      return end
    },
  })
}

/** A stream of log entries. */
export const listenLogs: Method = createListen('listen.logs', 'Log', 'End of logs')

/** A stream of error entries. */
export const listenErrors: Method = createListen('listen.errors', 'Err', 'End of errors')
