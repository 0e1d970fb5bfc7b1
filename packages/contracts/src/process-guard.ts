/** One process group that a plugin or a transport starts, as the process guard tracks it. */
export interface GuardedChild {
  /** Must be part of the child's environment: it marks every process that the child starts, in any process group. */
  readonly environment: Readonly<Record<string, string>>
  /** Call this when the child runs, as leader of this process group. */
  started(group: number): void
  /** Call this when the group has no process left. Processes that have left the group are ended too. */
  ended(): void
}

/** Ensures that the processes which a node starts do not outlive it, even when the node is killed. */
export interface ProcessGuard {
  /** Call this before each start of a child. */
  child(): GuardedChild
}
