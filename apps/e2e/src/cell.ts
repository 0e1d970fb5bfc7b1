import type { Revision } from '@junctor/protocol'

/** How a test's client reaches the gateway. */
type Way = 'http' | 'stdio' | 'websocket' | 'bus'

/** A cell as it is enumerated, before anything is started for it. */
interface Place {
  readonly way: Way
  /** The number of nodes. Two nodes are joined by NATS, and HTTP requests go to them in turn. */
  readonly nodes: 1 | 2
  readonly revision: Revision
}

/** The conditions of one run of a test: a transport, a number of nodes, and a revision. */
export interface Cell extends Place {
  /** Whether it is not the first cell of its test. */
  readonly isRepeated?: boolean
  /** The URL of the nats-server that joins its nodes. Absent: there is one node. */
  readonly nats?: string
}

/** The revisions that open with a handshake. */
export const handshakeRevisions: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

/** The cells that a test applies to. Absent: all. */
export interface Where {
  readonly ways?: readonly Way[]
  readonly nodes?: readonly Place['nodes'][]
  readonly revisions?: readonly Revision[]
}

const nodesFor: Readonly<Record<Way, readonly Place['nodes'][]>> = {
  http: [1, 2],
  stdio: [1],
  websocket: [1],
  // One of the two nodes serves the client.
  bus: [2],
}

/** Every cell that a test applies to. A pipe and a WebSocket have one end, so they run with one node only. */
export function cellsFor({
  nodes = [1, 2],
  ways = ['http', 'stdio', 'websocket', 'bus'],
  revisions = ['2025-11-25'],
}: Where): readonly Place[] {
  return ways.flatMap((way) => {
    const counts = nodesFor[way].filter((count) => nodes.includes(count))
    return counts.flatMap((count) => revisions.map((revision) => ({ way, nodes: count, revision })))
  })
}

/** The part of a test's title that tells its cells apart. */
export function cellName({ way, nodes, revision }: Place): string {
  return `${way}, ${nodes === 1 ? 'one node' : 'two nodes in turn'}, ${revision}`
}
