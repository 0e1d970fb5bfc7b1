import type { JsonObject, Payload, Request } from '@junctor/jsonrpc'
import type { Era, Revision } from '@junctor/protocol'
import type { NotificationBody, Client, Exchange, Outcome } from '@junctor/exchange'

/** The four things that MCP servers list. */
export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'

/** The owner of an upstream connection: one connection for each session, for each tenant, or one for all. */
export type Isolation = 'session' | 'tenant' | 'shared'

/** What a link is opened for. A link is never used outside its scope. */
export interface Scope {
  readonly tenant: string
  /** Set when the link belongs to one principal only. */
  readonly principal: string | undefined
  /** Set when the link belongs to one session only. */
  readonly session: string | undefined
  /** Client capabilities to declare upstream. Empty unless messages from upstream can be assigned to a client. */
  readonly capabilities: JsonObject
  /** All fields above in one string: the key of the link pool. */
  readonly key: string
  /**
   * The era of the owner's client. A server that speaks both is used in that era, because its code may ask clients only in
   * the way of one. Absent: clients of both eras use the link, or the backend has no eras.
   */
  readonly era?: Era
  /**
   * The access token that the owner has presented last, sealed: `openCallerToken`. It is not part of the key. Absent: the
   * backend does not take it, or the owner has presented none.
   */
  readonly callerToken?: string
}

/** What an upstream server declared about itself. */
export interface ServerInfo {
  readonly revision: Revision
  readonly capabilities: JsonObject
  /** `serverInfo`, unchanged. */
  readonly info: JsonObject
  readonly instructions: string | undefined
}

/** How long a result may be kept, and by whom (2026-07-28, Caching). */
export interface CacheHints {
  /** Milliseconds, from when the result was made. */
  readonly ttlMs: number
  /** `public`: it is the same for every caller. */
  readonly scope: 'public' | 'private'
}

/**
 * One upstream connection. The gateway pools links by scope, limits their number, queues for them and closes idle ones.
 */
export interface Link {
  readonly server: ServerInfo
  /**
   * Returns the complete list, all pages. Rejects when the upstream fails. A kind that the server does not offer is an
   * empty list.
   */
  list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]>
  /**
   * How long the list that `list` has returned last may be kept, as the upstream has declared. Absent or `undefined`: the
   * upstream has declared nothing, so the list must not be kept.
   */
  hints?(kind: ListKind): CacheHints | undefined
  /**
   * What the upstream did wrong when it gave the list that `list` has returned last, for example that its pages did not
   * end. The list is used. Absent or `undefined`: nothing.
   */
  listProblem?(kind: ListKind): string | undefined
  /** Runs a request whose names and URIs are those of the backend. Never rejects. */
  call(request: Request, exchange: Exchange): Outcome | Promise<Outcome>
  /** Sends a notification to the upstream, without waiting. */
  notify(notification: NotificationBody): void
  /**
   * Called when the owner of the link has presented another access token than `Scope.callerToken`, sealed like that. Absent:
   * the link does not take it.
   */
  present?(callerToken: string): void
  /** Resolves when the link is gone. The value is an error when the link was not asked to close. */
  readonly closed: Promise<Error | undefined>
  /** Closes the connection. Calls in flight end with an error. Never rejects. */
  close(): Promise<void>
}

/** A target that links can be opened to: an MCP server, an HTTP tool, a plugin in this process. */
export interface Backend {
  readonly name: string
  /**
   * Whether a message from upstream identifies the request that caused it (separate response streams, in-process
   * calls). Only then may clients share a link that declares client capabilities.
   */
  readonly correlates: boolean
  /**
   * Whether its links carry credentials of a person: each link then belongs to one principal, whatever is configured. Absent:
   * no.
   */
  readonly isPersonal?: boolean
  /**
   * Whether it gets the access tokens of its callers, sealed, to exchange them for tokens of its own (RFC 8693). Such a backend
   * is personal. Absent: no.
   */
  readonly takesCallerToken?: boolean
  /**
   * Whether its server may speak either era of the protocol: its links are then opened in the era of their owner's client
   * (`Scope.era`). Absent: no.
   */
  readonly followsEra?: boolean
  /**
   * Methods outside MCP that the backend's links answer, by their own names. JSON-RPC 3.0 peers call them by these
   * names. Absent: the backend has no such methods.
   */
  readonly methods?: readonly string[]
  /**
   * Whether its lists change by themselves, which only an open link can report: then links stay open while they are
   * unused. Absent: no.
   */
  readonly changesAlone?: boolean
  /**
   * What of the backend does not work now while the rest does, one line each, for its status. Absent: it is one thing,
   * which works or does not.
   */
  warnings?(): readonly string[]
  /**
   * Opens a link that sends requests and notifications to `client`. Rejects when the upstream cannot be reached or
   * refuses.
   */
  open(scope: Scope, client: Client, signal: AbortSignal): Promise<Link>
  /**
   * Finishes what the backend does besides requests, because it leaves: a reload has replaced it, or the process ends.
   * Called once, before `close`; requests in progress continue meanwhile. It is not waited for without limit. Absent:
   * there is nothing to finish.
   */
  drain?(): Promise<void>
  /** Closes what the backend holds besides its links. */
  close(): Promise<void>
}
