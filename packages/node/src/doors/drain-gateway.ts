import type { Gateway } from '@junctor/gateway'
import type { OpenFront } from './client-door.ts'

/**
 * Keeps what a gateway has promised while clients can still come for it, closes its fronts, and lets end what is under
 * way; what has not ended after the grace is told so and left.
 *
 * @param graceMs in milliseconds, for all of it together
 */
export async function drainGateway(
  gateway: Pick<Gateway, 'front' | 'keepPromises' | 'drain' | 'leave'>,
  fronts: ReadonlySet<OpenFront>,
  graceMs: number,
): Promise<void> {
  const until = performance.now() + graceMs
  const leftMs = (): number => Math.max(0, until - performance.now())
  const timer = setTimeout(() => {
    try {
      gateway.leave()
    } catch (error) {
      gateway.front.caught('timer', error)
    }
  }, graceMs)
  await gateway.keepPromises(graceMs)
  await Promise.all([...[...fronts].map((one) => one.close(leftMs())), gateway.drain(leftMs())])
  // What was under way may have opened sessions, and other nodes may have begun to use them.
  await gateway.drain(leftMs())
  clearTimeout(timer)
}
