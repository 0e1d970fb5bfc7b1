import type { BackendSide } from './backend-side.ts'
import type { ClientSide } from './client-side.ts'
import type { NodeParts } from './node-parts.ts'
import { runPeriodically } from './shared/run-periodically.ts'

/** Interval of the chores, in milliseconds: short enough that limits of minutes are exact to a second. */
const everyMs = 1_000

/**
 * Starts the periodic chores of this node: they end idle sessions, remove what has expired, and retry.
 *
 * @returns stops the chores
 */
export function startPeriodicChores(
  { fabric, table, streams, clock, idleMs, reportError, rates }: NodeParts,
  { upstream, sessionless, listeners, exclusiveLinks, runner, desk }: BackendSide,
  { sessions, visiting }: ClientSide,
): () => void {
  const noticeLoss = (): void => {
    if (!fabric.gauges().connected) table.markAllUsed()
  }
  const sweepSessions = (): void => {
    const waiting = desk.waitingSessions()
    sessions.sweep((id) => waiting.has(id) || visiting.has(id))
  }
  const forgetViews = (): void => {
    for (const callers of [table.homes(), listeners.all(), sessionless.all()]) upstream.views.forgetOutdated(callers)
  }
  return runPeriodically(
    [
      noticeLoss,
      () => streams.sweep((session) => table.served(session) !== undefined),
      () => streams.relieve((session) => table.served(session)?.owner ?? ''),
      () => upstream.sweep(),
      forgetViews,
      () => sessionless.sweep(),
      () => exclusiveLinks.sweep(clock.now() - idleMs),
      () => runner.sweep(),
      () => desk.sweep(),
      sweepSessions,
      () => upstream.status.retry(),
      () => rates.sweep(),
    ],
    everyMs,
    reportError,
  )
}
