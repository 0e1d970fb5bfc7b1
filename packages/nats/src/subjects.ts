import { subjectPath, subjectToken } from './subject-token.ts'

/** What a node is asked by its name. */
export type NodeVerb = 'call' | 'answer' | 'cancel' | 'deliver' | 'close' | 'probe' | 'control'

/** What all nodes hear. */
export type AllVerb = 'alive' | 'cancel' | 'session-ended' | 'control'

/** The subjects and the names of stored things of one cluster. Names are escaped: nothing in them can be a wildcard or a dot. */
export interface Subjects {
  /** `junctor.v1.<cluster>`, which all the others begin with. */
  readonly root: string
  /** What the subjects of single nodes begin with, up to the name of the node. */
  readonly nodes: string
  /** Any holder of a service; its holders listen as the queue group of the same name. */
  call(service: string): string
  node(node: string, verb: NodeVerb): string
  /** Replies and credit for a node; without a token all of them, as the filter of its one subscription. */
  inbox(node: string, token?: string): string
  all(verb: AllVerb): string
  /** The entries of a key of a log; without a key those of all its keys, as a filter. */
  entries(log: string, key?: string): string
  /** An item of a queue; without an id all of them, as a filter. */
  item(queue: string, id?: string): string
  /** Who has an item of a queue on loan; without an id all of them, as a filter. */
  loan(queue: string, id?: string): string
  /** The pieces of a large text of a store or log; without an id those of all its texts, as a filter. */
  pieces(owner: string, id?: string): string
  /** The name of the bucket of a store. */
  bucket(store: string): string
  /** The name of the stream of a log, of a queue, of a queue's loans, or of the pieces of large texts. */
  stream(kind: 'log' | 'queue' | 'loans' | 'pieces', name: string): string
}

/** The subjects of a cluster. Clusters of different names on one server never hear each other. */
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
    pieces: (owner, id) => under('pieces', owner, id),
    bucket: (store) => storedName('kv', name, store),
    stream: (kind, owner) => storedName(kind, name, owner),
  }
}

/** Streams and buckets have names of `[A-Za-z0-9_-]`: the escape sign becomes two underscores, and underscores are escaped. */
function storedName(kind: string, cluster: string, name: string): string {
  const parts = [cluster, subjectToken(name)].map((part) => part.replaceAll('_', '=5F').replaceAll('=', '__'))
  return ['junctor', kind, ...parts].join('_')
}
