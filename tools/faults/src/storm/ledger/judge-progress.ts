import type { Attempt } from './attempt.ts'
import { isCancelled } from './outcome.ts'

/** From this many attempts on, at least one must succeed. */
const enough = 20

/** Checks that clients of each kind, and calls of each tool, succeeded at least once. Returns the others as texts. */
export function judgeProgress(attempts: readonly Attempt[]): readonly string[] {
  const groups = [
    ...Map.groupBy(attempts, ({ kind }) => `clients of the kind ${kind}`),
    ...Map.groupBy(attempts, ({ tool }) => `calls of ${tool}`),
  ]
  return groups
    .filter(([, own]) => own.length >= enough && !own.some(isDone))
    .map(([what, own]) => `${what} came to nothing in ${own.length} attempts`)
}

/** Whether an attempt ended as its client wanted. */
export function isDone({ tool, outcome }: Attempt): boolean {
  return tool === 'abort' ? isCancelled(outcome) : outcome.kind === 'result'
}
