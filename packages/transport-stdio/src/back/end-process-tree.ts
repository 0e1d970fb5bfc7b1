import { setTimeout as after } from 'node:timers/promises'
import { settlesWithin } from '@junctor/primitives'

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

/** Sends a signal to every process of a group. False when no process is left to receive it. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch {
    return false
  }
}

/** How often to check whether a process group is empty, in milliseconds: the system does not report that. */
const pollMs = 20

/** Whether the group becomes empty in time. An ended process counts until its parent has reaped it. */
async function groupEmptied(leader: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (signalGroup(leader, 0)) {
    if (performance.now() >= deadline) return false
    await after(pollMs)
  }
  return true
}
