const finalStates: ReadonlySet<unknown> = new Set(['succeeded', 'completed', 'failed', 'cancelled', 'expired'])

/** Whether nothing becomes of a job, or of a task of MCP, any more. */
export function isFinalState(state: unknown): boolean {
  return finalStates.has(state)
}
