import { setTimeout as after } from 'node:timers/promises'
import { metric } from '../client/metric.ts'
import type { StormNode } from '../storm/deployment/storm-node.ts'

type AdminNode = Pick<StormNode, 'admin'>

/** How long a node may take to reconnect to a NATS server that is back, on a busy machine, in milliseconds. */
const mostMs = 10_000
const betweenMs = 50

/** How often each node has reconnected to NATS since its start. */
export function readReconnects(nodes: readonly AdminNode[]): Promise<readonly number[]> {
  return Promise.all(nodes.map(reconnectsOf))
}

/**
 * Waits until each node has reconnected, because nodes notice at different times that a server is back. Resolves with
 * the numbers of the nodes that have not reconnected in time.
 *
 * @param before how often each had reconnected before the server was killed
 */
export async function untilReconnected(
  nodes: readonly AdminNode[],
  before: readonly number[],
): Promise<readonly number[]> {
  const deadline = performance.now() + mostMs
  const wait = async (node: AdminNode, index: number): Promise<readonly number[]> => {
    const known = before[index] ?? 0
    // oxlint-disable no-await-in-loop -- until it is so
    for (;;) {
      if ((await reconnectsOf(node)) > known) return []
      if (performance.now() >= deadline) return [index]
      await after(betweenMs)
    }
    // oxlint-enable no-await-in-loop
  }
  return (await Promise.all(nodes.map(wait))).flat()
}

function reconnectsOf({ admin }: AdminNode): Promise<number> {
  return metric(admin, 'junctor_fabric_reconnects_total').catch(() => 0)
}
