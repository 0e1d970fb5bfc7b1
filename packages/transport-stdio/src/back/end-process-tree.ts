import { settlesWithin } from '@junctor/primitives'
import { groupEmptied, signalGroup } from './process-group.ts'

/** The leader of a process group. */
export interface GroupLeader {
  readonly pid: number
  /** Resolves when the leader has exited. */
  readonly exited: Promise<unknown>
}

/** No process survives SIGKILL; this is the time for the system to remove it. In milliseconds. */
const killedMs = 1_000

/**
 * Ends a child whose input was closed, and all that it has started: waits, then SIGTERM, waits, then SIGKILL (MCP,
 * Lifecycle, "Shutdown"). When the leader exits, the rest of its group gets SIGTERM immediately. Resolves when the
 * group is empty.
 *
 * @param graceMs the length of each of the two waits, in milliseconds
 */
export async function endProcessTree({ pid, exited }: GroupLeader, graceMs: number): Promise<void> {
  await settlesWithin(exited, graceMs)
  if (!signalGroup(pid, 'SIGTERM')) return
  if (await groupEmptied(pid, graceMs)) return
  signalGroup(pid, 'SIGKILL')
  await groupEmptied(pid, killedMs)
}
