import type { JsonObject, Payload, Request } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import type { NotificationBody, Client, Exchange, Outcome } from '@junctor/exchange'

/** The four things that MCP servers list. */
export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'

/** Whose an upstream connection is: one for each session, for each tenant, or one for all. */
export type Isolation = 'session' | 'tenant' | 'shared'

/** For whom a link is opened. Links are never used outside their scope. */
export interface Scope {
  readonly tenant: string
  /** Set when the link is one principal's alone. */
  readonly principal: string | undefined
  /** Set when the link is one session's alone. */
  readonly session: string | undefined
  /** Client capabilities to declare upstream; empty unless what comes back can be told apart. */
  readonly capabilities: JsonObject
  /** All of the above in one string: the pool's key. */
  readonly key: string
}

/** What an upstream server said of itself. */
export interface ServerInfo {
  readonly revision: Revision
  readonly capabilities: JsonObject
  /** `serverInfo` as it came. */
  readonly info: JsonObject
  readonly instructions: string | undefined
}

/** One upstream connection. The gateway pools links by scope, caps, queues and reaps them. */
export interface Link {
  readonly server: ServerInfo
  /** The complete list, all pages. Rejects when the upstream fails; a kind that it does not offer is empty. */
  list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]>
  /** Runs a request whose names and URIs are the backend's own. Never rejects. */
  call(request: Request, exchange: Exchange): Outcome | Promise<Outcome>
  notify(notification: NotificationBody): void
  /** Resolves when the link is gone: with an error when it was not asked to close. */
  readonly closed: Promise<Error | undefined>
  close(): Promise<void>
}

/** Something that links can be opened to: an MCP server, an HTTP tool, a plugin in this process. */
export interface Backend {
  readonly name: string
  /**
   * Whether a message from upstream tells which request caused it (separate response streams, in-process calls). Only
   * then may links be shared between clients and still declare client capabilities.
   */
  readonly correlates: boolean
  /**
   * Methods outside MCP that its links answer, by their own names (JSON-RPC 3.0 peers call them as they are). Absent:
   * none.
   */
  readonly methods?: readonly string[]
  /** Opens a link that speaks to `client`. Rejects when the upstream cannot be reached or refuses. */
  open(scope: Scope, client: Client, signal: AbortSignal): Promise<Link>
  /** Closes what the backend holds besides its links. */
  close(): Promise<void>
}
