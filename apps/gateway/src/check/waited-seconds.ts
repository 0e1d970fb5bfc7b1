import type { FailedAttempt } from './failed-attempt.ts'

/** How long the check waited, for messages: `2.5 s`. */
export function waitedSeconds({ waitedMs }: Pick<FailedAttempt, 'waitedMs'>): string {
  return `${Math.round(waitedMs / 100) / 10} s`
}
