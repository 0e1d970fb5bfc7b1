import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe } from './judge-endings.ts'

/**
 * Checks that every result belongs to its own call, and no client received another client's message. Returns the faults
 * as texts.
 */
export function judgeCanaries(attempts: readonly Attempt[], strays: readonly string[]): readonly string[] {
  const crossed = attempts.filter(({ outcome, ...call }) => outcome.kind === 'result' && !isOwn(call, outcome.text))
  return [
    ...grouped('have a result that is not their own', crossed, describe),
    ...grouped('messages came to somebody else', strays, String),
  ]
}

/** The tool `ask` knows only its client; the others answer with the id of their call. */
function isOwn({ tool, id, canary }: Pick<Attempt, 'tool' | 'id' | 'canary'>, text: string): boolean {
  return tool === 'ask' ? text.startsWith(`Hello ${canary},`) : text === id
}
