import type { Fabric } from '@junctor/exchange'

/** Which nodes are there at this moment, as this one knows it. */
export interface PresentNodes {
  /** False for a node that has left, or was never heard of. One that cannot be reached for a moment is still there. */
  has(node: string): boolean
  /** Looks no more. */
  close(): void
}

/** Follows who comes and goes. */
export function followNodes(fabric: Pick<Fabric, 'node' | 'nodes'>): PresentNodes {
  const stopping = new AbortController()
  const present = new Set([fabric.node])

  const follow = async (): Promise<void> => {
    for await (const { kind, node } of fabric.nodes(stopping.signal)) {
      if (kind === 'left') present.delete(node)
      else present.add(node)
    }
  }
  void follow()

  return { has: (node) => present.has(node), close: () => stopping.abort() }
}
