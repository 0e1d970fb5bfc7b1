import { setTimeout as after } from 'node:timers/promises'
import type { StormNode } from '../deployment/storm-node.ts'
import type { Deployment } from '../deployment/start-deployment.ts'
import type { Strike, Target } from './plan-chaos.ts'

/** The time in which a process was down. Times are those of `performance.now()`. */
export interface Outage {
  readonly target: Target
  readonly from: number
  /** When it reported that it was ready again. */
  readonly until: number
}

/** How a storm ends the processes that it restarts: with SIGKILL, or a node with SIGTERM, as in a rolling restart. */
export type Manner = 'kill' | 'ask'

/**
 * Ends and restarts processes as planned, one after the other, until the plan ends or the signal aborts. Then all are
 * up.
 */
export async function strikeAll(
  { nodes, nats }: Pick<Deployment, 'nodes' | 'nats'>,
  strikes: readonly Strike[],
  manner: Manner,
  stop: AbortSignal,
  onProgress: (target: Target) => void,
): Promise<readonly Outage[]> {
  const began = performance.now()
  const outages: Outage[] = []
  for (const { target, at, downMs } of strikes) {
    // oxlint-disable no-await-in-loop
    await after(Math.max(0, began + at - performance.now()), undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) break
    const { kill, start } = handleOf(target)
    onProgress(target)
    const from = performance.now()
    await kill()
    await after(downMs, undefined, { signal: stop }).catch(() => {})
    await start()
    outages.push({ target, from, until: performance.now() })
    // oxlint-enable no-await-in-loop
  }
  return outages

  function handleOf({ role, index }: Target): { kill: () => Promise<void>; start: () => Promise<void> } {
    if (role === 'nats') return { kill: () => nats.kill(index), start: () => nats.restart(index) }
    const node = nodes.filter((candidate) => candidate.role === role)[index]
    if (node === undefined) throw new RangeError(`Expected a ${role} number ${index}`)
    return { kill: () => (manner === 'kill' ? node.kill() : stopWell(node)), start: () => node.start() }
  }
}

async function stopWell(node: StormNode): Promise<void> {
  const code = await node.stop()
  if (code !== 0) throw new Error(`Expected ${node.name} to end with 0, got ${code ?? 'SIGKILL'}`)
}
