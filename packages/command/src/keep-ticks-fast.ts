import { executionAsyncResource } from 'node:async_hooks'

/**
 * Keeps `process.nextTick` as fast as it is at the start, for the rest of the process's life: Node calls it some seven
 * times for each HTTP request, and it can become ten times slower (from 40 to 400 ns).
 *
 * V8 remembers the shape of the objects that `nextTick` creates, but only as long as one of them exists. A full garbage
 * collection at a moment without a waiting tick removes the shape, and from then on V8 creates each object in the slow
 * way. One such object is therefore kept. Call it first in a program, before the code is loaded that is collected as
 * garbage: what has become slow stays slow.
 */
export function keepTicksFast(process: Pick<NodeJS.Process, 'nextTick' | 'once'>): void {
  process.nextTick(() => {
    const tick = executionAsyncResource()
    process.once('exit', () => tick)
  })
}
