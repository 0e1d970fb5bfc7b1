import type { NodeAbout } from '@junctor/gateway'
import type { NodeParts } from '../open-node-parts.ts'
import { type Announcing, announceNode } from './announce-node.ts'
import { serveNodeEvents } from './node-events.ts'

/**
 * Lets the other nodes of a fabric know this one: what it says of itself, and its events for whoever asks all nodes.
 * Rejects when the fabric does not serve.
 *
 * @param opened gets what ends both
 * @param about what there is to say now
 */
export async function joinCluster(
  opened: AsyncDisposableStack,
  { fabric, telemetry, caught }: Pick<NodeParts, 'fabric' | 'telemetry' | 'caught'>,
  about: () => NodeAbout,
): Promise<Announcing> {
  const announcing = announceNode(fabric, about, caught)
  opened.defer(() => announcing.close())
  const telling = await serveNodeEvents(fabric, telemetry.events)
  opened.defer(() => telling.close())
  return announcing
}
