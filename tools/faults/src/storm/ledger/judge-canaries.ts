import type { Attempt } from './attempt.ts'
import { grouped } from './grouped.ts'
import { describe } from './judge-endings.ts'

/** Every result is that of its own call, and nobody received what is somebody else's. In words what is otherwise. */
export function judgeCanaries(attempts: readonly Attempt[], strays: readonly string[]): readonly string[] {
  const crossed = attempts.filter(({ outcome, ...call }) => outcome.kind === 'result' && !isOwn(call, outcome.text))
  return [
    ...grouped('have a result that is not their own', crossed, describe),
    ...grouped('messages came to somebody else', strays, String),
  ]
}

/** The tool `ask` knows its client only; the others answer with the id of their call. */
function isOwn({ tool, id, canary }: Pick<Attempt, 'tool' | 'id' | 'canary'>, text: string): boolean {
  return tool === 'ask' ? text.startsWith(`Hello ${canary},`) : text === id
}
