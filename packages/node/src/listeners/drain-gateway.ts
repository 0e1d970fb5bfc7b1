import type { Gateway } from '@junctor/gateway'
import type { OpenFront } from './client-listener.ts'

/**
 * How long the errors that end requests have to reach their answers, in milliseconds: a front ends an answer without one
 * when its time is over.
 */
const lastAnswersMs = 100

/**
 * Finishes what a gateway has accepted while clients can still reach it, closes its fronts, and waits for requests in
 * progress. Without a front, questions to clients are not waited for. Requests that have not ended after the grace period
 * are answered with an error and abandoned.
 *
 * @param graceMs the time limit for all of this, in milliseconds
 */
export async function drainGateway(
  gateway: Pick<Gateway, 'front' | 'endWaiting' | 'finishAccepted' | 'drain' | 'leave'>,
  fronts: ReadonlySet<OpenFront>,
  graceMs: number,
): Promise<void> {
  const until = performance.now() + graceMs
  const leftMs = (): number => Math.max(0, until - performance.now())
  let left: Promise<void> | undefined
  const timer = setTimeout(() => {
    left = gateway.leave().catch((error: unknown) => gateway.front.reportError('timer', error))
  }, graceMs)
  // The only client was one on standard input, and has left.
  if (fronts.size === 0) gateway.endWaiting()
  await gateway.finishAccepted(graceMs)
  await Promise.all([...[...fronts].map((one) => one.close(leftMs() + lastAnswersMs)), gateway.drain(leftMs())])
  // Requests in progress may have opened sessions that other nodes already use.
  await gateway.drain(leftMs())
  clearTimeout(timer)
  await left
}
