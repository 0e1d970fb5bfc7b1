import type { Outage } from '../chaos/strike.ts'
import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe, missedMs } from './judge-endings.ts'
import { isCancelled } from './outcome.ts'
import type { Wait } from './wait.ts'

/** How long it may take until a tool receives the cancel of its call, on a busy machine, in milliseconds. */
const notifyMs = 3_000

/**
 * Checks that no tool keeps running for a client that has cancelled: while nothing is killed the tool receives the
 * cancel soon, and otherwise it receives it at last, or its process has ended. Returns the faults as texts.
 *
 * @param running the running processes among those that run tools
 */
export function judgeAborts(
  attempts: readonly Attempt[],
  waits: readonly Wait[],
  outages: readonly Outage[],
  running: ReadonlySet<number>,
): readonly string[] {
  const byId = new Map(waits.map((wait) => [wait.id, wait]))
  const isCalm = ({ began, ended }: Attempt): boolean =>
    outages.every(({ from, until }) => from > ended + notifyMs || until < began - missedMs)
  const late = attempts.filter((attempt) => {
    if (attempt.tool !== 'abort' || !isCancelled(attempt.outcome) || !isCalm(attempt)) return false
    const notified = byId.get(attempt.id)?.notified ?? Infinity
    return notified > attempt.ended + notifyMs
  })
  return [
    ...grouped(
      `were cancelled, and their tools not notified within ${notifyMs} ms although no process was killed`,
      late,
      describe,
    ),
    ...grouped('calls still run although no client waits for them', stillWaiting(waits, running), ({ id }) => id),
  ]
}

/** The calls without a cancel, in running processes. */
export function stillWaiting(waits: readonly Wait[], running: ReadonlySet<number>): readonly Wait[] {
  return waits.filter(({ notified, pid }) => notified === undefined && running.has(pid))
}
