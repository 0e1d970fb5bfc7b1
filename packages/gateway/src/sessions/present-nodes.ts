import type { Caught, Fabric } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'

/** Which nodes are there. */
export interface PresentNodes {
  /** Whether a node is there. One that is not known yet, as to a node that has just come, is asked. */
  isThere(node: string): Promise<boolean>
  /** The other nodes that say that they let clients in. */
  gateways(): readonly string[]
  close(): void
}

/** Heard by nobody: that it arrives is the answer. */
const question = { kind: 'there', body: null } as const

/**
 * Keeps an eye on the other nodes. One whose connection is lost for a moment is still there; one that has been silent for
 * too long, or said goodbye, is not.
 *
 * @param left hears of each that has left
 * @param caught told of what `left` throws
 */
export function watchNodes(fabric: Fabric, left: (node: string) => void, caught: Caught): PresentNodes {
  const there = new Map<string, JsonObject>()
  const closing = new AbortController()

  const watch = async (): Promise<void> => {
    for await (const change of fabric.nodes(closing.signal)) {
      try {
        if (change.kind !== 'left') there.set(change.node, change.about)
        else if (there.delete(change.node)) left(change.node)
      } catch (error) {
        caught('control', error, { node: change.node })
      }
    }
  }
  void watch()

  return {
    isThere: async (node) => there.has(node) || fabric.send(node, question),
    gateways: () =>
      [...there].flatMap(([node, { role }]) => (role === 'gateway' && node !== fabric.node ? [node] : [])),
    close: () => closing.abort(),
  }
}
