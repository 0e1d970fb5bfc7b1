import { createRandom, pick } from '../soak/random.ts'

/**
 * The protocol of a client, which determines its actions: all its calls are answered on its session's stream (a tenant
 * of profile `saas`), or only those that request it; its calls are jobs of JSON-RPC 3.0; each session is a WebSocket, a
 * stream of HTTP+SSE (2024-11-05), or a channel on NATS; or there is no session (2026-07-28).
 */
export type FuzzClientKind = 'saas' | 'plain' | 'jobs' | 'socket' | 'events' | 'stateless' | 'bus'

/** The next action of a client. Nodes and clients are numbers from 0. */
export type ClientAction = { readonly client: number; readonly node: number } & (
  | { readonly kind: 'open' }
  | { readonly kind: 'delete' }
  /** Cancels its last unanswered request. */
  | { readonly kind: 'cancel' }
  /** For its last job or task: asks for the state or the result, or cancels it. */
  | { readonly kind: 'status' | 'result' | 'end' }
  /** Sends the request of its last job again, with the same idempotency key. */
  | { readonly kind: 'repeat' }
  /** Closes the session's stream, if it has one open, and opens it at this node. */
  | { readonly kind: 'listen'; readonly hasCursor: boolean }
  /**
   * A call that takes `ms` milliseconds: answered directly, later on the stream, as a task, or as a job. For an
   * `abort`, the client closes its connection after that time, before or after the answer. With `replyAt` its tool
   * asks the client, which answers at that node after `ms` milliseconds.
   */
  | { readonly kind: 'inline' | 'queue' | 'task' | 'job' | 'abort'; readonly ms: number; readonly replyAt?: number }
  /** A call with progress: the client closes its connection after `ms` milliseconds, and resumes the stream at a node. */
  | { readonly kind: 'resume'; readonly ms: number; readonly resumeAt: number }
)

/** A node is shut down (`SIGTERM`), or killed, and restarted. */
export interface NodeAction {
  readonly kind: 'terminate' | 'kill'
  readonly node: number
}

/** A node is stopped (`SIGSTOP`), and continues after `ms` milliseconds, when others may have taken it for lost. */
export interface PauseAction {
  readonly kind: 'pause'
  readonly node: number
  readonly ms: number
}

/** A NATS server is killed, and restarted after `ms` milliseconds. */
export interface NatsAction {
  readonly kind: 'nats'
  readonly server: number
  readonly ms: number
}

/** All nodes read a configuration in which the backend of all calls has changed. Nothing may end because of that. */
interface ReloadAction {
  readonly kind: 'reload'
}

/** An action, and its start, in milliseconds after the first one. */
export type FuzzStep = (ClientAction | NodeAction | PauseAction | NatsAction | ReloadAction) & { readonly at: number }

/** The same options always give the same plan. */
export interface FuzzPlanOptions {
  readonly seed: number
  readonly seconds: number
  readonly clients: number
  readonly nodes: number
  /** The number of NATS servers. */
  readonly servers: number
}

/** The longest time between two actions, in milliseconds. */
const mostGapMs = 40
const mostCallMs = 400
/** The longest time that a NATS server is away, in milliseconds. */
const mostNatsMs = 2_000
/** The longest pause of a node, in milliseconds: others take it for lost after six seconds. */
const mostPauseMs = 12_000
/** One of this many actions is an outage or a reload: about one every two seconds, since an action begins every 20 ms. */
const outageEvery = 100
const outages = repeat({ terminate: 6, kill: 2, pause: 2, nats: 2, reload: 5 })

const kinds: Readonly<Record<FuzzClientKind, readonly Exclude<ClientAction['kind'], 'open'>[]>> = {
  saas: repeat({ queue: 10, listen: 3, cancel: 2, abort: 2, delete: 1 }),
  plain: repeat({
    inline: 5,
    resume: 4,
    queue: 5,
    task: 3,
    status: 1,
    end: 1,
    listen: 2,
    cancel: 2,
    abort: 2,
    delete: 1,
  }),
  jobs: repeat({ inline: 4, job: 8, repeat: 3, status: 3, result: 2, end: 2, delete: 1 }),
  socket: repeat({ inline: 10, task: 3, status: 1, result: 1, end: 1, cancel: 2, delete: 1 }),
  events: repeat({ inline: 10, cancel: 2, delete: 1 }),
  stateless: repeat({ inline: 10, abort: 2 }),
  bus: repeat({ inline: 10, task: 3, status: 1, result: 1, end: 1, cancel: 2, delete: 1 }),
}
const clientKinds: readonly FuzzClientKind[] = ['saas', 'plain', 'jobs', 'socket', 'events', 'stateless', 'bus']

/** The clients that answer questions of tools, and one of how many of their calls asks. */
const askers: ReadonlySet<FuzzClientKind> = new Set(['plain', 'socket', 'events', 'stateless', 'bus'])
const asking: ReadonlySet<ClientAction['kind']> = new Set(['inline', 'queue'])
const askEvery = 4

/** The kind of a client: all kinds in turn. */
export function kindOf(client: number): FuzzClientKind {
  return clientKinds[client % clientKinds.length] as FuzzClientKind
}

/** The actions of clients, nodes and NATS, in order of time. The same for the same options. */
export function planFuzz({ seed, seconds, clients, nodes, servers }: FuzzPlanOptions): readonly FuzzStep[] {
  const random = createRandom(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const open = new Set<number>()
  const steps: FuzzStep[] = []
  for (let at = 0; at < seconds * 1_000; at += below(mostGapMs)) {
    if (below(outageEvery) === 0) {
      const kind = pick(random, outages)
      if (kind === 'nats') steps.push({ kind, server: below(servers), ms: below(mostNatsMs), at })
      else if (kind === 'pause') steps.push({ kind, node: below(nodes), ms: below(mostPauseMs), at })
      else if (kind === 'reload') steps.push({ kind, at })
      else steps.push({ kind, node: below(nodes), at })
      continue
    }
    const [node, client] = [below(nodes), below(clients)]
    const kind = open.has(client) ? pick(random, kinds[kindOf(client)]) : 'open'
    if (kind === 'open') open.add(client)
    else if (kind === 'delete') open.delete(client)
    const asks = asking.has(kind) && askers.has(kindOf(client)) && below(askEvery) === 0
    const details = detailsOf(kind, kindOf(client), below)
    const next = { ...(asks && { replyAt: below(nodes) }), ...(kind === 'resume' && { resumeAt: below(nodes) }) }
    steps.push({ ...details, ...next, client, node, at } as FuzzStep)
  }
  return steps
}

const calls: ReadonlySet<ClientAction['kind']> = new Set(['inline', 'queue', 'task', 'job', 'abort', 'resume'])

function detailsOf(kind: ClientAction['kind'], client: FuzzClientKind, below: (most: number) => number): object {
  // Streamable HTTP replays nothing for a client without a cursor: such a client has chosen to lose answers.
  if (kind === 'listen') return { kind, hasCursor: client === 'plain' || below(4) > 0 }
  return calls.has(kind) ? { kind, ms: below(mostCallMs) } : { kind }
}

function repeat<Kind extends string>(weights: Readonly<Partial<Record<Kind, number>>>): readonly Kind[] {
  return Object.entries(weights).flatMap(([kind, times]) => Array.from({ length: times as number }, () => kind as Kind))
}
