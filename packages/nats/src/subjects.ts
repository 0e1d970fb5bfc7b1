import { subjectPath, subjectToken } from './subject-token.ts'

/** The requests to one node, addressed by its name. */
export type NodeVerb = 'call' | 'probe' | 'control'

/** The messages to all nodes. */
export type AllVerb = 'alive' | 'control'

/**
 * The subjects and the storage names of one cluster. Names are escaped, so that they contain no wildcard and no dot.
 */
export interface Subjects {
  /** `junctor.v1.<cluster>`, the beginning of all other subjects. */
  readonly root: string
  /** The beginning of the subjects of single nodes, before the name of the node. */
  readonly nodes: string
  /** The subject of a service. The nodes that serve it subscribe as the queue group of the same name. */
  call(service: string): string
  /** The subject of one node. */
  node(node: string, verb: NodeVerb): string
  /** Replies and credit for a node. Without a token: all of them, as the filter of its only subscription. */
  inbox(node: string, token?: string): string
  /** The subject that every node receives. */
  all(verb: AllVerb): string
  /** The entries of a key of a log. Without a key: those of all keys, as a filter. */
  entries(log: string, key?: string): string
  /** An item of a queue. Without an id: all items, as a filter. */
  item(queue: string, id?: string): string
  /** The holder of an item of a queue. Without an id: all of them, as a filter. */
  loan(queue: string, id?: string): string
  /** The items that one node holds, its lane of a queue. Without a lane: those of all nodes, as a filter. */
  held(queue: string, lane?: string): string
  /** The marks of a lane of a queue. Without a lane: those of all lanes, as a filter. */
  lane(queue: string, lane?: string): string
  /** The pieces of a large text of a store or log. Without an id: those of all its texts, as a filter. */
  pieces(owner: string, id?: string): string
  /** The name of the bucket of a store. */
  bucket(store: string): string
  /** The name of the stream of a log, of a queue, of a queue's loans, held items or marks, or of the pieces of large texts. */
  stream(kind: 'log' | 'queue' | 'loans' | 'held' | 'lanes' | 'pieces', name: string): string
}

/**
 * Returns the subjects of a cluster. Clusters with different names on one server never receive each other's messages.
 */
export function subjectsOf(cluster: string): Subjects {
  const name = subjectToken(cluster)
  const root = `junctor.v1.${name}`
  const nodes = `${root}.node.`
  const under = (kind: string, owner: string, path?: string): string =>
    `${root}.${kind}.${subjectToken(owner)}.${path ?? '>'}`
  return {
    root,
    nodes,
    call: (service) => `${root}.call.${subjectToken(service)}`,
    node: (node, verb) => `${nodes}${subjectToken(node)}.${verb}`,
    inbox: (node, token) => `${nodes}${subjectToken(node)}.in.${token === undefined ? '>' : subjectToken(token)}`,
    all: (verb) => `${root}.all.${verb}`,
    entries: (log, key) => under('log', log, key === undefined ? undefined : subjectPath(key)),
    item: (queue, id) => under('queue', queue, id === undefined ? undefined : subjectPath(id)),
    loan: (queue, id) => under('loan', queue, id === undefined ? undefined : subjectPath(id)),
    held: (queue, lane) => under('held', queue, lane === undefined ? undefined : subjectToken(lane)),
    lane: (queue, lane) => under('lane', queue, lane === undefined ? undefined : subjectToken(lane)),
    pieces: (owner, id) => under('pieces', owner, id),
    bucket: (store) => storedName('kv', name, store),
    stream: (kind, owner) => storedName(kind, name, owner),
  }
}

/**
 * Returns the name of a stream or bucket, which may contain only `[A-Za-z0-9_-]`: the escape sign becomes two
 * underscores, and underscores are escaped.
 */
function storedName(kind: string, cluster: string, name: string): string {
  const parts = [cluster, subjectToken(name)].map((part) => part.replaceAll('_', '=5F').replaceAll('=', '__'))
  return ['junctor', kind, ...parts].join('_')
}
