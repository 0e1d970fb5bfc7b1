import type { ErrorReporter, Fabric, NodeChange } from '@junctor/contracts'

/**
 * Calls `listener` with the present nodes, then with each change, until the signal aborts. An error of the listener
 * does not stop later calls. Never rejects: `reportError` gets all errors.
 */
export async function followNodes(
  fabric: Pick<Fabric, 'nodes'>,
  signal: AbortSignal,
  listener: (change: NodeChange) => void,
  reportError: ErrorReporter,
): Promise<void> {
  try {
    for await (const change of fabric.nodes(signal)) {
      try {
        listener(change)
      } catch (error) {
        reportError('control', error, { node: change.node })
      }
    }
  } catch (error) {
    reportError('control', error)
  }
}
