import { type Attempt, isRepeatable } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe } from './judge-endings.ts'

/**
 * Checks that no tool runs twice that must not, that a result comes from a run, and that a retryable error comes
 * without one. Returns the faults as texts.
 *
 * @param runs how often the backends have run each attempt, by its id
 */
export function judgeRuns(attempts: readonly Attempt[], runs: ReadonlyMap<string, number>): readonly string[] {
  const once = attempts.filter(({ tool }) => !isRepeatable(tool))
  const count = ({ id }: Attempt): number => runs.get(id) ?? 0
  const ids = new Set(attempts.map(({ id }) => id))
  const strangers = [...runs.keys()].filter((id) => !ids.has(id))
  return [
    ...grouped(
      'ran twice',
      once.filter((attempt) => count(attempt) > 1),
      describe,
    ),
    ...grouped(
      'have a result though nothing ran',
      once.filter((attempt) => attempt.outcome.kind === 'result' && count(attempt) === 0),
      describe,
    ),
    ...grouped(
      'may be sent again, says their error, though they ran',
      once.filter(({ outcome, ...attempt }) => isNotRun(outcome) && count({ outcome, ...attempt }) > 0),
      describe,
    ),
    ...grouped('ran although no client called them', strangers, String),
  ]
}

function isNotRun(outcome: Attempt['outcome']): boolean {
  return outcome.kind === 'refused' || (outcome.kind === 'error' && outcome.retryable)
}
