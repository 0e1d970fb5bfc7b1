import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe } from './judge-endings.ts'
import { isDone } from './judge-progress.ts'

/**
 * Checks that a shutdown of nodes fails no call of a client that retries where it may. Returns the failed calls as
 * texts.
 */
export function judgeRolling(attempts: readonly Attempt[]): readonly string[] {
  const last = [...Map.groupBy(attempts, ({ of }) => of).values()].flatMap((all) => all.at(-1) ?? [])
  return grouped(
    'calls failed though nodes were only asked to end',
    last.filter((attempt) => !isDone(attempt)),
    describe,
  )
}
