/** The target for a row's value. */
export interface Bar {
  readonly least?: number
  /** The value must stay below it. */
  readonly below?: number
}

/** One row that compares Junctor with bare programs under the same load. */
export interface ComparedRow {
  readonly kind: 'compared'
  readonly name: string
  readonly title: string
  readonly subject: string
  /** The fastest of them is used. */
  readonly baselines: readonly string[]
  /** Requests in flight, each on its own connection. */
  readonly lanes: number
  /**
   * `ratio`: requests per second, the subject's divided by the baseline's. `added`: milliseconds that p50 is longer.
   */
  readonly value: 'ratio' | 'added'
  readonly bar: Bar | undefined
}

/** One row about sessions, measured in its own process. */
export interface SessionRow {
  readonly kind: 'sessions'
  readonly name: string
  readonly title: string
  /** `memory`: kilobytes for each idle session. `opening`: seconds to open them all. */
  readonly value: 'memory' | 'opening'
  readonly sessions: number
  readonly bar: Bar | undefined
}

/** One row about a long stream of JSON-RPC 3.0, in pieces per second. */
export interface StreamRow {
  readonly kind: 'stream'
  readonly name: string
  readonly title: string
  /** The subject, and the wire for reading. */
  readonly subject: 'junctor-local' | 'junctor-websocket' | 'junctor-nats'
  readonly pieces: number
  readonly bar: Bar | undefined
}

/** One row about a start: processor time in seconds until a client on standard streams has the list of tools. */
export interface StartRow {
  readonly kind: 'start'
  readonly name: string
  readonly title: string
  /** What is started: the sources of a clone, or the published bundle, which is built for it. */
  readonly form: 'clone' | 'packed'
  /** Whether there is a compile cache of an earlier start. */
  readonly cache: 'cold' | 'warm'
  readonly bar: Bar | undefined
}

/** One row about the calls of a backend beside a plugin in a process of its own that does harm. */
export interface NeighbourRow {
  readonly kind: 'neighbour'
  readonly name: string
  readonly title: string
  /** The tool of the hostile plugin. */
  readonly harm: 'progress' | 'log' | 'loop' | 'memory' | 'rejections'
  readonly bar: Bar | undefined
}

/** A row of the report; `kind` decides how it is measured. */
export type Row = ComparedRow | SessionRow | StreamRow | StartRow | NeighbourRow

const harms: Readonly<Record<NeighbourRow['harm'], string>> = {
  progress: 'floods progress',
  log: 'floods the log',
  loop: 'loops',
  memory: 'fills its memory',
  rejections: 'rejects unhandled',
}

/** With a process of its own, a plugin must not double the time of its neighbours. */
const neighbourRows: readonly NeighbourRow[] = Object.entries(harms).map(([harm, what]) => ({
  kind: 'neighbour',
  name: `beside-${harm}`,
  title: `p99 of calls beside an isolated plugin that ${what}, through p99 without`,
  harm: harm as NeighbourRow['harm'],
  bar: { below: 2 },
}))

/** The rows of the report, in this order. */
export const rows: readonly Row[] = [
  {
    kind: 'compared',
    name: 'in-process',
    title: 'HTTP to a tool in process, through bare Fastify',
    subject: 'junctor-local',
    baselines: ['fastify', 'fastify-schema'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.7 },
  },
  {
    kind: 'compared',
    name: 'stdio-child',
    title: 'HTTP to a shared stdio child, through the bare relay',
    subject: 'junctor-child',
    baselines: ['relay'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.65 },
  },
  {
    kind: 'compared',
    name: 'http-upstream',
    title: 'HTTP to a lean HTTP server, through that server directly',
    subject: 'junctor-url',
    baselines: ['http-server'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.22 },
  },
  {
    kind: 'compared',
    name: 'stateless',
    title: 'HTTP of 2026-07-28 to a tool in process, through bare Fastify with the same requests',
    subject: 'junctor-stateless',
    baselines: ['fastify-stateless'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.7 },
  },
  {
    kind: 'compared',
    name: 'stateless-upstream',
    title: 'HTTP of 2026-07-28 to a lean server of that revision, through that server directly',
    subject: 'junctor-stateless-url',
    baselines: ['stateless-server'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.22 },
  },
  {
    kind: 'compared',
    name: 'guarded',
    title: 'HTTP to a tool in process with tokens, tenants and limits, through Junctor without',
    subject: 'junctor-guarded',
    baselines: ['junctor-open'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.85 },
  },
  {
    kind: 'compared',
    name: 'http-tools',
    title: 'HTTP to a tool component, through a bare relay to it',
    subject: 'junctor-component',
    baselines: ['component-relay'],
    lanes: 16,
    value: 'ratio',
    bar: undefined,
  },
  {
    kind: 'compared',
    name: 'wasm',
    title: 'HTTP to a module of WebAssembly in threads, through bare node:http with it on its only thread',
    subject: 'junctor-wasm',
    baselines: ['wasm-server'],
    lanes: 16,
    value: 'ratio',
    bar: undefined,
  },
  {
    kind: 'compared',
    name: 'stdio-front',
    title: 'stdio to a tool in process, through a lean stdio server',
    subject: 'junctor-stdio',
    baselines: ['stdio-server'],
    lanes: 16,
    value: 'ratio',
    bar: undefined,
  },
  {
    kind: 'compared',
    name: 'websocket',
    title: 'WebSocket to a tool in process, through a bare ws echo',
    subject: 'junctor-websocket',
    baselines: ['websocket-server'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.55 },
  },
  {
    kind: 'compared',
    name: 'queued',
    title: '202 now and the answer on a stream, through bare node:http that answers at once',
    subject: 'junctor-queued',
    baselines: ['http-server'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.45 },
  },
  {
    kind: 'compared',
    name: 'nats-worker',
    title: 'HTTP to a tool on a worker, over NATS, through bare node:http that answers by itself',
    subject: 'junctor-nats',
    baselines: ['http-server'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.26 },
  },
  {
    kind: 'compared',
    name: 'nats-jobs',
    title: '202 now and the answer on a stream, on NATS, through bare node:http that answers once JetStream has it',
    subject: 'junctor-nats-queued',
    baselines: ['jetstream-server'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.25 },
  },
  {
    kind: 'compared',
    name: 'queued-latency',
    title: 'p50 that 202 and stream add to bare node:http, one connection, ms',
    subject: 'junctor-queued',
    baselines: ['http-server'],
    lanes: 1,
    value: 'added',
    bar: undefined,
  },
  {
    kind: 'compared',
    name: 'list',
    title: 'tools/list of 1000 tools, through node:http with the same text',
    subject: 'junctor-list',
    baselines: ['list-server'],
    lanes: 16,
    value: 'ratio',
    bar: undefined,
  },
  {
    kind: 'compared',
    name: 'hundred-list',
    title: 'p50 that tools/list of 1000 tools of 100 backends adds to node:http with the same text, one connection, ms',
    subject: 'junctor-hundred-list',
    baselines: ['list-server'],
    lanes: 1,
    value: 'added',
    bar: { below: 20 },
  },
  {
    kind: 'compared',
    name: 'hundred-backends',
    title: 'HTTP to one of 1000 tools of 100 backends, through the same with one tool of one backend',
    subject: 'junctor-hundred',
    baselines: ['junctor-local'],
    lanes: 16,
    value: 'ratio',
    bar: { least: 0.9 },
  },
  {
    kind: 'compared',
    name: 'latency',
    title: 'p50 that HTTP to a tool in process adds to bare Fastify, one connection, ms',
    subject: 'junctor-local',
    baselines: ['fastify', 'fastify-schema'],
    lanes: 1,
    value: 'added',
    bar: { below: 0.25 },
  },
  {
    kind: 'stream',
    name: 'http-pieces',
    title: 'a stream of JSON-RPC 3.0 over HTTP, in lines, pieces per second',
    subject: 'junctor-local',
    pieces: 100_000,
    bar: undefined,
  },
  {
    kind: 'stream',
    name: 'websocket-pieces',
    title: 'a stream of JSON-RPC 3.0 over a WebSocket, pieces per second',
    subject: 'junctor-websocket',
    pieces: 100_000,
    bar: undefined,
  },
  {
    kind: 'stream',
    name: 'nats-pieces',
    title: 'a stream of JSON-RPC 3.0 over HTTP from a worker, over NATS, pieces per second',
    subject: 'junctor-nats',
    pieces: 100_000,
    bar: undefined,
  },
  {
    kind: 'sessions',
    name: 'idle-session',
    title: 'memory of an idle session, KB of RSS',
    value: 'memory',
    sessions: 5000,
    bar: { below: 30 },
  },
  {
    kind: 'sessions',
    name: 'open-sessions',
    title: 'opening 1000 sessions, seconds',
    value: 'opening',
    sessions: 1000,
    bar: undefined,
  },
  {
    kind: 'start',
    name: 'start-cold',
    title: 'processor seconds until the demo on stdio has listed its tools, the first time',
    form: 'clone',
    cache: 'cold',
    bar: undefined,
  },
  {
    kind: 'start',
    name: 'start',
    title: 'the same, when it was started before',
    form: 'clone',
    cache: 'warm',
    bar: { below: 0.6 },
  },
  {
    kind: 'start',
    name: 'start-packed-cold',
    title: 'the same of what is published, the first time',
    form: 'packed',
    cache: 'cold',
    bar: { below: 0.6 },
  },
  {
    kind: 'start',
    name: 'start-packed',
    title: 'the same of what is published, when it was started before',
    form: 'packed',
    cache: 'warm',
    bar: { below: 0.6 },
  },
  ...neighbourRows,
]
