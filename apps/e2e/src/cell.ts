import type { Revision } from '@junctor/protocol'

/** How a test's client reaches the gateway. */
type Way = 'http' | 'stdio' | 'websocket' | 'bus'

/** A cell as it is enumerated, before anything is started for it. */
interface Place {
  readonly way: Way
  /** The number of nodes. Two nodes share one fabric, and HTTP requests go to them in turn. */
  readonly nodes: 1 | 2
  readonly fabric: 'memory' | 'nats'
  readonly revision: Revision
}

/** The conditions of one run of a test: a transport, a number of nodes on one fabric, and a revision. */
export interface Cell extends Place {
  /** The URL of the nats-server that its nodes share. */
  readonly nats?: string
}

/** The revisions that open with a handshake. */
export const handshakeRevisions: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

/** The cells that a test applies to. Absent: all. */
export interface Where {
  readonly ways?: readonly Way[]
  /** What the nodes share. */
  readonly fabrics?: readonly Place['fabric'][]
  readonly revisions?: readonly Revision[]
}

/** A combination of node count and fabric. */
type Nodes = Pick<Place, 'nodes' | 'fabric'>

const alone: Nodes = { nodes: 1, fabric: 'memory' }
const inTurn: Nodes = { nodes: 2, fabric: 'memory' }
const inTurnOnNats: Nodes = { nodes: 2, fabric: 'nats' }

const nodesFor: Readonly<Record<Way, readonly Nodes[]>> = {
  http: [alone, inTurn, inTurnOnNats],
  stdio: [alone],
  websocket: [alone],
  // One of the two nodes serves the client.
  bus: [inTurnOnNats],
}

/**
 * Every cell that a test applies to. A pipe and a WebSocket have one end, so they run with one node only. On NATS a
 * test takes hardly longer than in memory, so it is tried in every revision there too.
 */
export function cellsFor({
  fabrics = ['memory', 'nats'],
  ways = ['http', 'stdio', 'websocket', 'bus'],
  revisions = ['2025-11-25'],
}: Where): readonly Place[] {
  return ways.flatMap((way) => {
    const together = nodesFor[way].filter(({ fabric }) => fabrics.includes(fabric))
    return together.flatMap((nodes) => revisions.map((revision) => ({ way, ...nodes, revision })))
  })
}

export function cellName({ way, nodes, fabric, revision }: Place): string {
  const those = nodes === 1 ? 'one node' : 'two nodes in turn'
  return `${way}, ${those}${fabric === 'nats' ? ' on NATS' : ''}, ${revision}`
}
