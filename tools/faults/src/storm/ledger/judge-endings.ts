import type { Outage } from '../chaos/strike.ts'
import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { labelOf } from './outcome.ts'

/** How long it may take until the loss of a killed node is noticed, in milliseconds. */
export const missedMs = 8_000

/** The same for an idle channel on the bus: how long it waits before it pings, plus a reserve. */
const missedOnBusMs = 25_000

/** Reasons without information. */
const nameless: ReadonlySet<string> = new Set(['', 'internal_error'])

/**
 * Checks that every attempt ends, in a result or an error with a reason, and that a connection is lost only when its
 * gateway or NATS server was killed. Returns the faults as texts; empty when there are none.
 */
export function judgeEndings(attempts: readonly Attempt[], outages: readonly Outage[]): readonly string[] {
  const silent = attempts.filter(({ outcome }) => outcome.kind === 'silent')
  const unnamed = attempts.filter(({ outcome }) => outcome.kind === 'error' && nameless.has(outcome.reason))
  const lost = attempts.filter((attempt) => attempt.outcome.kind === 'lost' && !isExplained(attempt, outages))
  return [
    ...grouped('never ended', silent, describe),
    ...grouped('ended in an error without a name', unnamed, describe),
    ...grouped('lost a connection though nothing that it led to was killed', lost, describe),
  ]
}

/** Whether the gateway or server of an attempt's connection was down during it, or shortly before. */
function isExplained({ kind, began, ended }: Attempt, outages: readonly Outage[]): boolean {
  const isBus = kind === 'bus'
  const since = began - (isBus ? missedOnBusMs : missedMs)
  return outages.some(
    ({ target: { role }, from, until }) =>
      (role === 'gateway' || (role === 'nats' && isBus)) && from <= ended && until >= since,
  )
}

/** An attempt as text. */
export function describe({ kind, tool, id, began, ended, outcome }: Attempt): string {
  const more = outcome.kind === 'result' ? outcome.text : outcome.kind === 'error' ? outcome.message : outcome.what
  return `${id} (${kind}, ${tool}, at ${(began / 1000).toFixed(1)} s for ${Math.round(ended - began)} ms): ${labelOf(outcome)}, ${more}`
}
