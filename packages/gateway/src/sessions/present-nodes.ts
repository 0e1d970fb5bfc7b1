import type { Fabric } from '@junctor/exchange'

/** Which nodes are there. */
export interface PresentNodes {
  /** Whether a node is there. One that is not known yet, as to a node that has just come, is asked. */
  isThere(node: string): Promise<boolean>
  close(): void
}

/** Heard by nobody: that it arrives is the answer. */
const question = { kind: 'there', body: null } as const

/**
 * Keeps an eye on the other nodes. One whose connection is lost for a moment is still there; one that has been silent for
 * too long, or said goodbye, is not.
 *
 * @param left hears of each that has left
 */
export function watchNodes(fabric: Fabric, left: (node: string) => void): PresentNodes {
  const there = new Set<string>()
  const closing = new AbortController()

  const watch = async (): Promise<void> => {
    for await (const { kind, node } of fabric.nodes(closing.signal)) {
      if (kind !== 'left') there.add(node)
      else if (there.delete(node)) left(node)
    }
  }
  void watch()

  return {
    isThere: async (node) => there.has(node) || fabric.send(node, question),
    close: () => closing.abort(),
  }
}
