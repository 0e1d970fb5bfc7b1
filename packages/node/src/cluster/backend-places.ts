import type { KnownNode } from './known-nodes.ts'

/** Returns the names of the nodes that hold a backend's links, in any state. */
export function placesOf(backend: string, nodes: readonly KnownNode[]): readonly string[] {
  return nodes.flatMap(({ node, about }) =>
    about !== undefined && Object.hasOwn(about.backends, backend) ? [node] : [],
  )
}
