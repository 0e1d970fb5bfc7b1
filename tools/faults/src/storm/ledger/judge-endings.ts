import type { Outage } from '../chaos/strike.ts'
import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { labelOf } from './outcome.ts'

/** How long it may take until what a killed node had is missed, in milliseconds. */
export const missedMs = 8_000

/** The same for a channel on the bus that nobody uses: so long it waits before it asks for a sign of life, and some more. */
const missedOnBusMs = 25_000

/** Reasons that say nothing of what happened. */
const nameless: ReadonlySet<string> = new Set(['', 'internal_error'])

/**
 * Every attempt ends, in a result or an error that says why; a connection is lost only where the gateway or the
 * NATS server that it led to was killed. In words what is otherwise; empty: nothing is.
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

/** Whether what an attempt's connection led to was down while it was made, or shortly before. */
function isExplained({ kind, began, ended }: Attempt, outages: readonly Outage[]): boolean {
  const isBus = kind === 'bus'
  const since = began - (isBus ? missedOnBusMs : missedMs)
  return outages.some(
    ({ target: { role }, from, until }) =>
      (role === 'gateway' || (role === 'nats' && isBus)) && from <= ended && until >= since,
  )
}

/** An attempt in words. */
export function describe({ kind, tool, id, began, ended, outcome }: Attempt): string {
  const more = outcome.kind === 'result' ? outcome.text : outcome.kind === 'error' ? outcome.message : outcome.what
  return `${id} (${kind}, ${tool}, at ${(began / 1000).toFixed(1)} s for ${Math.round(ended - began)} ms): ${labelOf(outcome)}, ${more}`
}
