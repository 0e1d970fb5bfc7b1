import { setImmediate as nextTurn } from 'node:timers/promises'
import { settlesWithin } from '@junctor/primitives'

/** How often to wait while output arrives: a process that has left its group may write forever. */
const mostWaits = 20

/**
 * Resolves when a program that has ended is done, or when none of its output has been read for a while, although it could
 * be: other work may take longer than that, and what is in the pipe then was not read yet.
 *
 * @param pieces how many pieces of its output have been read
 * @param quietMs milliseconds
 */
export async function untilQuiet(done: Promise<unknown>, pieces: () => number, quietMs: number): Promise<void> {
  for (let waits = 0; waits < mostWaits; waits += 1) {
    const before = pieces()
    // oxlint-disable-next-line no-await-in-loop -- one wait after the other
    if (await settlesWithin(done, quietMs)) return
    // A turn of the event loop reads what is there.
    // oxlint-disable-next-line no-await-in-loop
    await nextTurn()
    if (pieces() === before) return
  }
}
