import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe } from './judge-endings.ts'

/**
 * Checks that every call with a 202 is answered on its session's stream, once. Returns the faults as texts.
 *
 * @param answers how often each attempt was answered there, by its id
 */
export function judgeAnswers(attempts: readonly Attempt[], answers: ReadonlyMap<string, number>): readonly string[] {
  const accepted = attempts.filter((attempt) => attempt.accepted === true)
  const count = ({ id }: Attempt): number => answers.get(id) ?? 0
  return [
    ...grouped(
      'accepted calls were never answered',
      accepted.filter((attempt) => count(attempt) === 0),
      describe,
    ),
    ...grouped(
      'accepted calls were answered more than once',
      accepted.filter((attempt) => count(attempt) > 1),
      describe,
    ),
  ]
}
