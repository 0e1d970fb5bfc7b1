import type { Revision } from '@junctor/protocol'

/** How a test's client reaches the gateway. */
type Way = 'http' | 'stdio' | 'websocket'

/** Where a requirement is tried: one way in, one number of nodes, one revision. */
export interface Cell {
  readonly way: Way
  /** With two, they share one fabric, and HTTP requests go to them in turn. */
  readonly nodes: 1 | 2
  readonly revision: Revision
}

/** The revisions that open with a handshake. */
export const handshakeRevisions: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

/** What a test says of where it applies. Absent: everywhere. */
export interface Where {
  readonly ways?: readonly Way[]
  readonly revisions?: readonly Revision[]
}

/** Every cell that a test applies to. A pipe and a WebSocket have one end, so these are tried on one node. */
export function cellsFor({
  ways = ['http', 'stdio', 'websocket'],
  revisions = ['2025-11-25'],
}: Where): readonly Cell[] {
  return ways.flatMap((way) => {
    const counts: readonly (1 | 2)[] = way === 'http' ? [1, 2] : [1]
    return counts.flatMap((nodes) => revisions.map((revision) => ({ way, nodes, revision })))
  })
}

export function cellName({ way, nodes, revision }: Cell): string {
  return `${way}, ${nodes === 1 ? 'one node' : 'two nodes in turn'}, ${revision}`
}
