import { isNodeName } from '@junctor/contracts'
import { printable } from '@junctor/primitives'

/*
 * Ids that name a node: of exchanges and questions, of streams and their events, of post addresses and outboxes. Each
 * is `<node>-<local>`, so every node can read from an id which node has issued it.
 */

/** The result of reading an id that names a node. */
export type ReadNodeId =
  | { readonly kind: 'id'; readonly node: string; readonly local: string }
  /** No node can have issued the id. `why` is a reason for people. */
  | { readonly kind: 'foreign'; readonly why: string }

/** The characters of base64url, base36 and the names of backends. */
const localPattern = /^[\w.-]{1,128}$/

/**
 * An id that names the node that made it: `<node>-<local>`.
 *
 * @param local identifies it on this node: 1 to 128 characters of `A-Z a-z 0-9 . _ -`
 */
export function nodeId(node: string, local: string): string {
  return `${node}-${local}`
}

/** Returns a function that counts: each call returns a new id of this node. */
export function createNodeIds(node: string): () => string {
  let count = 0
  return () => `${node}-${(count++).toString(36)}`
}

/** Reads an id that may come from an untrusted peer. Never throws. */
export function readNodeId(text: string): ReadNodeId {
  const at = text.indexOf('-')
  const [node, local] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  if (at === -1 || !isNodeName(node)) return foreign('an id that begins with the name of a node and "-"', text)
  return localPattern.test(local) ? { kind: 'id', node, local } : foreign(`an id of node ${node}`, text)
}

function foreign(expected: string, text: string): ReadNodeId {
  return { kind: 'foreign', why: `expected ${expected}, got "${printable(text, 40)}"` }
}
