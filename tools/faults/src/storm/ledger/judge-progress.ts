import type { Attempt } from './attempt.ts'
import { isCancelled } from './outcome.ts'

/** So many attempts cannot all have had bad luck. */
const enough = 20

/** Clients of each kind, and calls of each tool, came to what they wanted now and then. In words which did not. */
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
