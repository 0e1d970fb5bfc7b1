import { within } from '@junctor/primitives'
import { groupEmptied, signalGroup } from './process-group.ts'

/** The leader of a process group. */
export interface GroupLeader {
  readonly pid: number
  /** Resolves when the leader has exited. */
  readonly exited: Promise<unknown>
}

/** Nothing survives SIGKILL; this is for the system to clear up. In milliseconds. */
const killedMs = 1_000

/**
 * Ends a child whose input was closed, and all that it has started: waits, then SIGTERM, waits, then SIGKILL (MCP,
 * Lifecycle, "Shutdown"). What the leader leaves behind when it exits gets its SIGTERM at once. Resolves when the group
 * is empty.
 *
 * @param graceMs how long each of the two waits may take
 */
export async function endProcessTree({ pid, exited }: GroupLeader, graceMs: number): Promise<void> {
  await within(exited, graceMs)
  if (!signalGroup(pid, 'SIGTERM')) return
  if (await groupEmptied(pid, graceMs)) return
  signalGroup(pid, 'SIGKILL')
  await groupEmptied(pid, killedMs)
}
