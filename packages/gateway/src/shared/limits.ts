/** The limits of a node. Every queue, table and buffer of the gateway has its limit here. */
export interface GatewayLimits {
  /** Sessions on this node. */
  readonly sessions: number
  /**
   * Sessions of one principal on this node. Default: three quarters of `sessions`. The limit does not apply to callers
   * without credentials: they are one principal, but many clients.
   */
  readonly sessionsOfPrincipal?: number
  /** Sessions of one tenant on this node, where there are several. Default: three quarters of `sessions`. */
  readonly sessionsOfTenant?: number
  /** A session that was not used for this long ends, in milliseconds. */
  readonly sessionIdleMs: number
  /** Requests in flight of one session. */
  readonly inFlight: number
  /**
   * Requests to backends under way of one principal on this node, over all its sessions. It does not apply to jobs, which
   * have bounds of their own, nor to callers without credentials: they are one principal, but many clients.
   */
  readonly callsOfPrincipal: number
  /**
   * A node whose timers run this much later than due, in milliseconds, refuses new requests: it would answer too late. The
   * value is far above what a busy node has.
   */
  readonly loopDelayMs: number
  /** A node that uses this much of its memory, in percent of what Node allows, refuses new requests. */
  readonly heapPercent: number
  /** Frames that one stream keeps for clients that reconnect. */
  readonly streamEntries: number
  /**
   * Characters that one stream keeps for clients that reconnect. All streams of a session together keep four times as
   * many, and those of all sessions 64 times as many.
   */
  readonly streamCharacters: number
  /** How long a finished or unread stream can still be resumed, in milliseconds. */
  readonly streamKeepMs: number
  /** Streams of one session, including finished ones that can still be resumed. */
  readonly streams: number
  /** Items on one page of a list. The value is large because some clients never request a second page. */
  readonly pageItems: number
  /** Characters of merged instructions. */
  readonly instructions: number
  /** How long `initialize` and lists wait for backends that are still starting, in milliseconds. */
  readonly startWaitMs: number
  /**
   * How long lists wait for starting backends when the client gets no list-changed notifications, in milliseconds. Such
   * a client may never see a backend that is missing from its first list. Default: `startWaitMs` if set, else 30
   * seconds: clients wait at least that long for an answer.
   */
  readonly unannouncedStartWaitMs: number
  /** How long changes of lists, or of one resource, are collected before clients are notified, in milliseconds. */
  readonly listChangedMs: number
  /** How long a client has to answer a question, in milliseconds, unless the backend sets another time. */
  readonly askTimeoutMs: number
  /** Jobs that this node runs at the same time. */
  readonly jobsRunning: number
  /** Unfinished jobs of one tenant that this node accepted. */
  readonly jobsOfTenant: number
  /** Unfinished jobs of one principal that this node accepted. */
  readonly jobsOfPrincipal: number
  /** The most characters of a job's request, and of its result. */
  readonly jobCharacters: number
  /** Characters of job results that this node keeps for one principal. The oldest results are removed first. */
  readonly jobsKeptOfPrincipal: number
  /** Characters of job results that this node keeps for one tenant. The oldest results are removed first. */
  readonly jobsKeptOfTenant: number
  /** How long a job's result can be read, in milliseconds, unless its client asks for a shorter time. */
  readonly jobTtlMs: number
  /**
   * How long a request may take whose answer goes to its session's stream and cannot be polled, in milliseconds from
   * its acceptance. After the answer, the gateway remembers for the same time that the request was answered.
   */
  readonly jobPassingMs: number
  /** How long a job may take when no connection waits for it, in milliseconds. */
  readonly jobMs: number
  /** How long a node that runs a job may be silent before another node takes over the job, in milliseconds. */
  readonly jobLeaseMs: number
}

/** The limits that apply without a configured value. */
export const defaultGatewayLimits: GatewayLimits = {
  sessions: 10_000,
  sessionIdleMs: 30 * 60_000,
  inFlight: 1_000,
  callsOfPrincipal: 4_000,
  loopDelayMs: 1_000,
  heapPercent: 95,
  streamEntries: 1_000,
  streamCharacters: 4 * 1024 * 1024,
  streamKeepMs: 5 * 60_000,
  streams: 256,
  pageItems: 1_000,
  instructions: 16 * 1024,
  startWaitMs: 5_000,
  unannouncedStartWaitMs: 30_000,
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

/** All limits: the defaults, replaced by those that are set. */
export function limitsWith(set: Partial<GatewayLimits> = {}): GatewayLimits {
  const { startWaitMs } = set
  return { ...defaultGatewayLimits, ...(startWaitMs !== undefined && { unannouncedStartWaitMs: startWaitMs }), ...set }
}
