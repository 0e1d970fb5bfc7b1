import type { Outage } from '../chaos/strike.ts'
import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { labelOf } from './outcome.ts'

/** How long it may take until what a killed node had is missed, in milliseconds. */
const missedMs = 8_000

/** Reasons that say nothing of what happened. */
const nameless: ReadonlySet<string> = new Set(['', 'internal_error'])

/**
 * Every attempt ends, in a result or an error that says why; a connection is lost only where a gateway was killed. In
 * words what is otherwise; empty: nothing is.
 */
export function judgeEndings(attempts: readonly Attempt[], outages: readonly Outage[]): readonly string[] {
  const silent = attempts.filter(({ outcome }) => outcome.kind === 'silent')
  const unnamed = attempts.filter(({ outcome }) => outcome.kind === 'error' && nameless.has(outcome.reason))
  const lost = attempts.filter((attempt) => attempt.outcome.kind === 'lost' && !isExplained(attempt, outages))
  return [
    ...grouped('never ended', silent, describe),
    ...grouped('ended in an error without a name', unnamed, describe),
    ...grouped('lost a connection though no gateway was killed', lost, describe),
  ]
}

/** Whether a gateway was down while an attempt was made, or shortly before. */
function isExplained({ began, ended }: Attempt, outages: readonly Outage[]): boolean {
  return outages.some(
    ({ target, from, until }) => target.role === 'gateway' && from <= ended && until >= began - missedMs,
  )
}

/** An attempt in words. */
export function describe({ kind, tool, id, began, ended, outcome }: Attempt): string {
  const more = outcome.kind === 'result' ? outcome.text : outcome.kind === 'error' ? outcome.message : outcome.what
  return `${id} (${kind}, ${tool}, at ${(began / 1000).toFixed(1)} s for ${Math.round(ended - began)} ms): ${labelOf(outcome)}, ${more}`
}
