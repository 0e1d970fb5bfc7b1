import { setTimeout as after } from 'node:timers/promises'

/** Sends a signal to every process of a group. False when there is none left that could get it. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch {
    return false
  }
}

/** The system tells nobody when a group becomes empty, so it is asked this often, in milliseconds. */
const pollMs = 20

/** Whether the group is empty in time. A process that has ended counts until its parent has taken notice. */
export async function groupEmptied(leader: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (signalGroup(leader, 0)) {
    if (performance.now() >= deadline) return false
    await after(pollMs)
  }
  return true
}
