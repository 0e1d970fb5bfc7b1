import { createRandom, pick } from '../soak/random.ts'

/** Whose sessions a client has: all its calls are answered on the session's stream, or those that it asks that for. */
export type FuzzTenant = 'saas' | 'plain'

/** What a client does next. Nodes and clients are numbers from 0. */
export type ClientAction =
  | { readonly kind: 'open'; readonly client: number; readonly node: number }
  | { readonly kind: 'delete'; readonly client: number; readonly node: number }
  | { readonly kind: 'cancel'; readonly client: number; readonly node: number }
  /** Leaves the stream of the session, if it has one open, and opens it here. */
  | { readonly kind: 'listen'; readonly client: number; readonly node: number; readonly hasCursor: boolean }
  /** A call that takes so many milliseconds: answered where it is sent, later on the stream, or as a task. */
  | {
      readonly kind: 'inline' | 'queue' | 'task'
      readonly client: number
      readonly node: number
      readonly ms: number
    }
  /** A call whose client closes its connection after so many milliseconds, sooner or later than the answer. */
  | { readonly kind: 'abort'; readonly client: number; readonly node: number; readonly ms: number }

/** A node is asked to end (`SIGTERM`), or killed, and started again. */
export interface NodeAction {
  readonly kind: 'terminate' | 'kill'
  readonly node: number
}

/** An action, and when it begins, in milliseconds after the first one. */
export type FuzzStep = (ClientAction | NodeAction) & { readonly at: number }

export interface FuzzPlanOptions {
  readonly seed: number
  readonly seconds: number
  readonly clients: number
  readonly nodes: number
}

/** Two actions are at most so far apart, in milliseconds. */
const mostGapMs = 40
const mostCallMs = 400
/** Of so many actions, one is of a node: one in three seconds or so, since they come every 20 ms. */
const nodeEvery = 150
/** Of so many of these, one is a kill. */
const killEvery = 5

const kinds: Readonly<Record<FuzzTenant, readonly Exclude<ClientAction['kind'], 'open'>[]>> = {
  saas: repeat({ queue: 10, listen: 3, cancel: 2, abort: 2, delete: 1 }),
  plain: repeat({ inline: 5, queue: 5, task: 3, listen: 2, cancel: 2, abort: 2, delete: 1 }),
}

/** Clients are of both tenants in turn. */
export function tenantOf(client: number): FuzzTenant {
  return client % 2 === 0 ? 'saas' : 'plain'
}

/** What clients and nodes do, in order of time. The same for the same options. */
export function planFuzz({ seed, seconds, clients, nodes }: FuzzPlanOptions): readonly FuzzStep[] {
  const random = createRandom(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const open = new Set<number>()
  const steps: FuzzStep[] = []
  for (let at = 0; at < seconds * 1_000; at += below(mostGapMs)) {
    const node = below(nodes)
    if (below(nodeEvery) === 0) {
      steps.push({ kind: below(killEvery) === 0 ? 'kill' : 'terminate', node, at })
      continue
    }
    const client = below(clients)
    const kind = open.has(client) ? pick(random, kinds[tenantOf(client)]) : 'open'
    if (kind === 'open') open.add(client)
    else if (kind === 'delete') open.delete(client)
    steps.push({ ...detailsOf(kind, tenantOf(client), below), client, node, at } as FuzzStep)
  }
  return steps
}

function detailsOf(kind: ClientAction['kind'], tenant: FuzzTenant, below: (most: number) => number): object {
  // Streamable HTTP shows nothing again to who names no place on a stream: such a client has chosen to lose answers.
  if (kind === 'listen') return { kind, hasCursor: tenant === 'plain' || below(4) > 0 }
  if (kind === 'open' || kind === 'delete' || kind === 'cancel') return { kind }
  return { kind, ms: below(mostCallMs) }
}

function repeat<Kind extends string>(weights: Readonly<Partial<Record<Kind, number>>>): readonly Kind[] {
  return Object.entries(weights).flatMap(([kind, times]) => Array.from({ length: times as number }, () => kind as Kind))
}
