import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe } from './judge-endings.ts'
import { isDone } from './judge-progress.ts'

/** Nodes that are asked to end fail no call of a client that tries again what it may. In words which failed. */
export function judgeRolling(attempts: readonly Attempt[]): readonly string[] {
  const last = [...Map.groupBy(attempts, ({ of }) => of).values()].flatMap((all) => all.at(-1) ?? [])
  return grouped(
    'calls failed though nodes were only asked to end',
    last.filter((attempt) => !isDone(attempt)),
    describe,
  )
}
