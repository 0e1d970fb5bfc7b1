import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe } from './judge-endings.ts'

/**
 * Every call that was accepted with 202 is answered on its session's stream, once. In words what is otherwise.
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
