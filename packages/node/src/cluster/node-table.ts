import type { Caught, Fabric } from '@junctor/contracts'
import type { NodeAbout } from '@junctor/gateway'
import { readNodeAbout } from '@junctor/gateway'

/** A node of the fabric. */
export interface KnownNode {
  readonly node: string
  /** What it announced; `undefined` as long as it has said nothing that this version understands. */
  readonly about: NodeAbout | undefined
}

/** Which nodes there are at this moment, as this one knows it. */
export interface NodeTable {
  /** This one first, then gateways, then workers, each by name. */
  all(): readonly KnownNode[]
  /** The names of the others. */
  others(): readonly string[]
  /** Looks no more. */
  close(): void
}

/**
 * Follows who comes and goes.
 *
 * @param caught told of what others say of themselves that breaks what reads it
 */
export function createNodeTable(fabric: Pick<Fabric, 'node' | 'nodes'>, caught: Caught): NodeTable {
  const stopping = new AbortController()
  const known = new Map<string, NodeAbout | undefined>([[fabric.node, undefined]])

  const follow = async (): Promise<void> => {
    for await (const change of fabric.nodes(stopping.signal)) {
      try {
        if (change.kind === 'left') known.delete(change.node)
        else known.set(change.node, readNodeAbout(change.about))
      } catch (error) {
        caught('control', error, { node: change.node })
      }
    }
  }
  follow().catch((error: unknown) => caught('control', error))

  const others = (): readonly string[] => [...known.keys()].filter((node) => node !== fabric.node).toSorted()
  const read = (node: string): KnownNode => ({ node, about: known.get(node) })
  return {
    all() {
      const told = others().map(read)
      const ordered = [...told.filter((one) => !isWorker(one)), ...told.filter(isWorker)]
      return [read(fabric.node), ...ordered]
    },
    others,
    close: () => stopping.abort(),
  }
}

function isWorker({ about }: KnownNode): boolean {
  return about?.role === 'worker'
}
