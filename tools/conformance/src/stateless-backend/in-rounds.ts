import type { KeyedAnswer, KeyedAsk } from '../fixture-backend/keyed-asks.ts'

/** A question of a round. */
interface Question {
  readonly method: string
  readonly params: object
}

/** What a run comes to: its result, or the questions that must be answered before it can go on. */
export type Round<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'asks'; readonly questions: Readonly<Record<string, Question>> }

/**
 * Runs code that asks its client, from the start, with the answers that are known. In 2026-07-28 a server cannot wait for an
 * answer: it asks in its result, and the request comes again (Multi Round-Trip Requests).
 */
export async function inRounds<Result>(
  run: (ask: KeyedAsk) => Result | Promise<Result>,
  known: Readonly<Record<string, unknown>>,
): Promise<Round<Result>> {
  const questions: Record<string, Question> = {}
  const asked = Promise.withResolvers<Round<Result>>()
  const ask: KeyedAsk = (_to, key, method, params) => {
    const answer = known[key]
    if (answer !== undefined) return Promise.resolve({ result: answer as Readonly<Record<string, unknown>> })
    // All questions that are asked at once are one round.
    if (Object.keys(questions).length === 0) setImmediate(() => asked.resolve({ kind: 'asks', questions }))
    questions[key] = { method, params }
    return new Promise<KeyedAnswer>(() => {})
  }
  const done = Promise.resolve(run(ask)).then((result): Round<Result> => ({ kind: 'done', result }))
  return Promise.race([done, asked.promise])
}
