import type { NodeAbout } from '@junctor/gateway'
import type { NodeParts } from '../open-node-parts.ts'
import { type Announcing, announceNode } from './announce-node.ts'
import { serveNodeEvents } from './node-events.ts'

/**
 * Makes this node known to the other nodes of a fabric: its announcement, and its events for nodes that query all
 * nodes. Rejects when the fabric does not serve.
 *
 * @param opened receives the closers of both
 * @param about returns the current announcement
 */
export async function joinCluster(
  opened: AsyncDisposableStack,
  {
    fabric,
    telemetry,
    reportError,
    unreadable,
  }: Pick<NodeParts, 'fabric' | 'telemetry' | 'reportError' | 'unreadable'>,
  about: () => NodeAbout,
): Promise<Announcing> {
  const announcing = announceNode(fabric, about, reportError)
  opened.defer(() => announcing.close())
  const telling = await serveNodeEvents(fabric, telemetry.events, unreadable)
  opened.defer(() => telling.close())
  return announcing
}
