import type { Caught, Fabric, NodeChange } from '@junctor/contracts'

/**
 * Gives `hear` the nodes that are there, then each change, until the signal aborts. A change that `hear` throws on does not
 * keep it from the next ones. Never rejects: `caught` gets all that is thrown.
 */
export async function followNodes(
  fabric: Pick<Fabric, 'nodes'>,
  signal: AbortSignal,
  hear: (change: NodeChange) => void,
  caught: Caught,
): Promise<void> {
  try {
    for await (const change of fabric.nodes(signal)) {
      try {
        hear(change)
      } catch (error) {
        caught('control', error, { node: change.node })
      }
    }
  } catch (error) {
    caught('control', error)
  }
}
