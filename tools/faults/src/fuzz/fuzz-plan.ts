import { createRandom, pick } from '../soak/random.ts'

/**
 * What a client speaks, which says what it does: all its calls are answered on its session's stream (a tenant of profile
 * `saas`), or those that it asks that for; its calls are jobs of JSON-RPC 3.0; or each session is a WebSocket.
 */
export type FuzzClientKind = 'saas' | 'plain' | 'jobs' | 'socket'

/** What a client does next. Nodes and clients are numbers from 0. */
export type ClientAction = { readonly client: number; readonly node: number } & (
  | { readonly kind: 'open' }
  | { readonly kind: 'delete' }
  /** Takes back its last request that has no answer. */
  | { readonly kind: 'cancel' }
  /** Of its last job or task: where it is, what it came to, or that it is to end. */
  | { readonly kind: 'status' | 'result' | 'end' }
  /** Leaves the stream of the session, if it has one open, and opens it here. */
  | { readonly kind: 'listen'; readonly hasCursor: boolean }
  /**
   * A call that takes so many milliseconds: answered where it is sent, later on the stream, as a task, or as a job. An
   * `abort` is one whose client closes its connection then, sooner or later than the answer.
   */
  | { readonly kind: 'inline' | 'queue' | 'task' | 'job' | 'abort'; readonly ms: number }
)

/** A node is asked to end (`SIGTERM`), or killed, and started again. */
export interface NodeAction {
  readonly kind: 'terminate' | 'kill'
  readonly node: number
}

/** A NATS server is killed, and started again after so many milliseconds. */
export interface NatsAction {
  readonly kind: 'nats'
  readonly server: number
  readonly ms: number
}

/** An action, and when it begins, in milliseconds after the first one. */
export type FuzzStep = (ClientAction | NodeAction | NatsAction) & { readonly at: number }

export interface FuzzPlanOptions {
  readonly seed: number
  readonly seconds: number
  readonly clients: number
  readonly nodes: number
  /** Of NATS. */
  readonly servers: number
}

/** Two actions are at most so far apart, in milliseconds. */
const mostGapMs = 40
const mostCallMs = 400
/** How long a NATS server is away at most. */
const mostNatsMs = 2_000
/** Of so many actions, one is of a node or of NATS: one in three seconds or so, since they come every 20 ms. */
const outageEvery = 150
const outages = repeat({ terminate: 6, kill: 2, nats: 2 })

const kinds: Readonly<Record<FuzzClientKind, readonly Exclude<ClientAction['kind'], 'open'>[]>> = {
  saas: repeat({ queue: 10, listen: 3, cancel: 2, abort: 2, delete: 1 }),
  plain: repeat({ inline: 5, queue: 5, task: 3, status: 1, end: 1, listen: 2, cancel: 2, abort: 2, delete: 1 }),
  jobs: repeat({ inline: 4, job: 8, status: 3, result: 2, end: 2, delete: 1 }),
  socket: repeat({ inline: 10, task: 3, status: 1, result: 1, end: 1, cancel: 2, delete: 1 }),
}
const clientKinds: readonly FuzzClientKind[] = ['saas', 'plain', 'jobs', 'socket']

/** Clients are of all kinds in turn. */
export function kindOf(client: number): FuzzClientKind {
  return clientKinds[client % clientKinds.length] as FuzzClientKind
}

/** What clients, nodes and NATS do, in order of time. The same for the same options. */
export function planFuzz({ seed, seconds, clients, nodes, servers }: FuzzPlanOptions): readonly FuzzStep[] {
  const random = createRandom(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const open = new Set<number>()
  const steps: FuzzStep[] = []
  for (let at = 0; at < seconds * 1_000; at += below(mostGapMs)) {
    if (below(outageEvery) === 0) {
      const kind = pick(random, outages)
      if (kind === 'nats') steps.push({ kind, server: below(servers), ms: below(mostNatsMs), at })
      else steps.push({ kind, node: below(nodes), at })
      continue
    }
    const [node, client] = [below(nodes), below(clients)]
    const kind = open.has(client) ? pick(random, kinds[kindOf(client)]) : 'open'
    if (kind === 'open') open.add(client)
    else if (kind === 'delete') open.delete(client)
    steps.push({ ...detailsOf(kind, kindOf(client), below), client, node, at } as FuzzStep)
  }
  return steps
}

const calls: ReadonlySet<ClientAction['kind']> = new Set(['inline', 'queue', 'task', 'job', 'abort'])

function detailsOf(kind: ClientAction['kind'], client: FuzzClientKind, below: (most: number) => number): object {
  // Streamable HTTP shows nothing again to who names no place on a stream: such a client has chosen to lose answers.
  if (kind === 'listen') return { kind, hasCursor: client === 'plain' || below(4) > 0 }
  return calls.has(kind) ? { kind, ms: below(mostCallMs) } : { kind }
}

function repeat<Kind extends string>(weights: Readonly<Partial<Record<Kind, number>>>): readonly Kind[] {
  return Object.entries(weights).flatMap(([kind, times]) => Array.from({ length: times as number }, () => kind as Kind))
}
