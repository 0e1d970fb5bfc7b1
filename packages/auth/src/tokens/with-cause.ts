/** `fetch` says only that it has failed: the cause tells whether it was DNS, TCP or the certificate. */
export function withCause(problem: unknown): string {
  const cause = problem instanceof Error ? problem.cause : undefined
  return cause === undefined ? String(problem) : `${String(problem)}: ${withCause(cause)}`
}
