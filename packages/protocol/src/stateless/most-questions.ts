/**
 * The most questions of one result, or of one state of a task (2026-07-28). Each is shown to a client and held until it is
 * answered, so many at once would keep all other clients waiting.
 */
export const mostQuestions = 256

/** The fault of a result with more questions. */
export function tooManyQuestions(count: number): string {
  return `Expected at most ${mostQuestions} questions in inputRequests, got ${count}`
}
