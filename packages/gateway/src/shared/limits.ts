/** What bounds a node. Every queue, table and buffer of the gateway has its row here. */
export interface GatewayLimits {
  /** Sessions on this node. */
  readonly sessions: number
  /**
   * Sessions of one principal on this node. Default: three quarters of `sessions`. Callers without credentials are one
   * principal and many clients: it does not hold for them.
   */
  readonly sessionsOfPrincipal?: number
  /** Sessions of one tenant on this node, where there are several. Default: three quarters of `sessions`. */
  readonly sessionsOfTenant?: number
  /** A session that was not used for this long is ended, in milliseconds. */
  readonly sessionIdleMs: number
  /** Requests in flight of one session. */
  readonly inFlight: number
  /** Frames kept of one stream for clients that come back. */
  readonly streamEntries: number
  /** Characters kept of one stream for clients that come back; all streams of a session together keep four times as many. */
  readonly streamCharacters: number
  /** How long a finished stream, or one that nobody reads, can still be resumed, in milliseconds. */
  readonly streamKeepMs: number
  /** Streams of one session, finished ones that can still be resumed included. */
  readonly streams: number
  /** Items on one page of a list. Large, because clients that never ask for a second page exist. */
  readonly pageItems: number
  /** Characters of merged instructions. */
  readonly instructions: number
  /** How long `initialize` and lists wait for backends that are still starting, in milliseconds. */
  readonly startWaitMs: number
  /**
   * The same for lists of clients that are not told when lists change: what they do not see then they may never see.
   * Default: `startWaitMs` where that is set, else 30 seconds, which clients wait for an answer at least.
   */
  readonly untoldStartWaitMs: number
  /** How long list changes are gathered before clients are told, in milliseconds. */
  readonly listChangedMs: number
  /** How long a client has to answer a question, in milliseconds, unless the backend says otherwise. */
  readonly askTimeoutMs: number
  /** Jobs that this node runs at once. */
  readonly jobsRunning: number
  /** Jobs that are not over, of all that came to this node for one tenant. */
  readonly jobsOfTenant: number
  /** The same for one principal. */
  readonly jobsOfPrincipal: number
  /** Characters of a job's request, and of what it came to. */
  readonly jobCharacters: number
  /** Characters of what jobs of one principal came to at this node and can be read. The oldest are forgotten first. */
  readonly jobsKeptOfPrincipal: number
  /** The same for one tenant. */
  readonly jobsKeptOfTenant: number
  /** How long a job can be read, unless its client asks for less, in milliseconds. */
  readonly jobTtlMs: number
  /**
   * How long a request may take, from when it was accepted, whose answer goes to its session's stream and that nobody can
   * ask for, in milliseconds. So long it is known afterwards that it was answered.
   */
  readonly jobPassingMs: number
  /** How long a job may take that nobody waits for on a connection, in milliseconds. */
  readonly jobMs: number
  /** How long a node that runs a job may be silent before another takes it, in milliseconds. */
  readonly jobLeaseMs: number
}

export const defaultLimits: GatewayLimits = {
  sessions: 10_000,
  sessionIdleMs: 30 * 60_000,
  inFlight: 1_000,
  streamEntries: 1_000,
  streamCharacters: 4 * 1024 * 1024,
  streamKeepMs: 5 * 60_000,
  streams: 256,
  pageItems: 1_000,
  instructions: 16 * 1024,
  startWaitMs: 5_000,
  untoldStartWaitMs: 30_000,
  listChangedMs: 100,
  askTimeoutMs: 60_000,
  jobsRunning: 256,
  jobsOfTenant: 10_000,
  jobsOfPrincipal: 1_000,
  jobCharacters: 1024 * 1024,
  jobsKeptOfPrincipal: 64 * 1024 * 1024,
  jobsKeptOfTenant: 256 * 1024 * 1024,
  jobTtlMs: 36 * 60 * 60_000,
  jobPassingMs: 15 * 60_000,
  jobMs: 60 * 60_000,
  jobLeaseMs: 15_000,
}

/** All limits, where these are set. */
export function limitsWith(set: Partial<GatewayLimits> = {}): GatewayLimits {
  const { startWaitMs } = set
  return { ...defaultLimits, ...(startWaitMs !== undefined && { untoldStartWaitMs: startWaitMs }), ...set }
}
