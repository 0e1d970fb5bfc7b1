import type { ErrorReporter, Fabric, NodeChange, UnreadableReporter } from '@junctor/contracts'
import { followNodes, type NodeAbout, readNodeAbout } from '@junctor/gateway'

/** A node of the fabric. */
export interface KnownNode {
  readonly node: string
  /** Its announcement; `undefined` until it announces something that this version understands. */
  readonly about: NodeAbout | undefined
}

/** The nodes of the fabric, as this node currently knows them. */
export interface KnownNodes {
  /** This node first, then gateways, then workers, each by name. */
  all(): readonly KnownNode[]
  /** The names of the other nodes. */
  others(): readonly string[]
  /** Stops following the nodes. */
  close(): void
}

/**
 * Follows the nodes that join and leave.
 *
 * @param reportError called when the nodes cannot be followed
 * @param unreadable called with announcements that this version cannot read. No other part of a node reports them.
 */
export function createKnownNodes(
  fabric: Pick<Fabric, 'node' | 'nodes'>,
  reportError: ErrorReporter,
  unreadable: UnreadableReporter,
): KnownNodes {
  const stopping = new AbortController()
  const known = new Map<string, NodeAbout | undefined>([[fabric.node, undefined]])

  const onChange = (change: NodeChange): void => {
    const { node } = change
    if (change.kind === 'left') {
      known.delete(node)
      return
    }
    const read = readNodeAbout(change.about)
    if (read.kind === 'unreadable') unreadable('announcement', node, read.problem)
    known.set(node, read.kind === 'read' ? read.value : undefined)
  }
  void followNodes(fabric, stopping.signal, onChange, reportError)

  const others = (): readonly string[] => [...known.keys()].filter((node) => node !== fabric.node).toSorted()
  const read = (node: string): KnownNode => ({ node, about: known.get(node) })
  return {
    all() {
      const rest = others().map(read)
      const ordered = [...rest.filter((one) => !isWorker(one)), ...rest.filter(isWorker)]
      return [read(fabric.node), ...ordered]
    },
    others,
    close: () => stopping.abort(),
  }
}

function isWorker({ about }: KnownNode): boolean {
  return about?.role === 'worker'
}
