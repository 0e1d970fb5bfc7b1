const finalStates: ReadonlySet<unknown> = new Set(['succeeded', 'completed', 'failed', 'cancelled', 'expired'])

/** Whether the state of a job, or of a task of MCP, is final. */
export function isFinalState(state: unknown): boolean {
  return finalStates.has(state)
}
