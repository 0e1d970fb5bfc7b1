import { setTimeout as after } from 'node:timers/promises'

/** Sends a signal to every process of a group. False when no process is left to receive it. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
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
export async function groupEmptied(leader: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (signalGroup(leader, 0)) {
    if (performance.now() >= deadline) return false
    await after(pollMs)
  }
  return true
}
