import type { Loss } from '@junctor/exchange'
import type { Head } from './head.ts'
import type { ErrorPlace } from './error-place.ts'
import type { UnreadableKind } from './unreadable-kind.ts'

/**
 * Something that happened in a node, as plain data. Metrics count it, the event log shows it and the audit stream keeps
 * it. The component where it happens reports it once and does not know the listeners. An event holds names, numbers and
 * reasons; never arguments, results, tokens or whole session ids.
 */
export type TelemetryEvent =
  | RequestEvent
  | JobEvent
  | SessionEvent
  | StreamTelemetryEvent
  | LinkEvent
  | AccessEvent
  | NodeEvent

/** Receives events. Never throws and never blocks the caller. Events of one node arrive in order of time. */
export type Emit = (event: TelemetryEvent) => void

/** An `Emit` that discards every event. */
export const emitNothing: Emit = () => {}

/**
 * How a request ended. `error`: with a JSON-RPC error; `tool_error`: with a result that has `isError`; the others: the
 * request ended for that reason.
 */
export type RequestOutcome = 'success' | 'tool_error' | 'error' | 'cancelled' | 'deadline' | 'ended'

/** The party that caused an error. */
export type ErrorOrigin = 'client' | 'gateway' | 'backend'

/** What happened to a message of a client. */
export type RequestEvent =
  /** A notification was received from a client. `method` may be any text: a counter must bound it. */
  | { readonly kind: 'notification_received'; readonly tenant: string; readonly method: string }
  /** A notification to a client was not delivered. */
  | { readonly kind: 'notification_dropped'; readonly reason: 'overflow' | 'no_owner'; readonly count: number }
  /** A tool is about to be called at its backend. */
  | ({ readonly kind: 'tool_call_started' } & ToolCall)
  /**
   * The way of a call to its backend was lost, and it was sent once more; or not, because too many were. `loss`: before
   * it was sent at all, or later. `tool`: its public name, when it called one.
   */
  | ({
      readonly kind: 'call_retried'
      readonly tool: string | undefined
      readonly loss: Loss
      readonly result: 'sent' | 'over_budget'
    } & Omit<ToolCall, 'tool'>)
  /**
   * A request that reached the home node of its session was answered, or ended. The node of the client reports a request
   * whose home is lost before it has answered.
   */
  | {
      readonly kind: 'request_finished'
      readonly tenant: string
      readonly transport: Head['transport']
      readonly method: string
      /** The backend that answered. Undefined when the gateway answered itself. */
      readonly backend: string | undefined
      /** The public name of the tool, when the request called a tool that exists, or that a lost home may have had. */
      readonly tool: string | undefined
      /** W3C trace id. */
      readonly trace: string | undefined
      /** The caller: `Principal.key`. */
      readonly principal: string
      readonly outcome: RequestOutcome
      /** The JSON-RPC code of an `error`. */
      readonly code: number | undefined
      readonly origin: ErrorOrigin | undefined
      /** `data.reason` of the gateway's own errors. */
      readonly reason: string | undefined
      readonly durationMs: number
      /**
       * The part of `durationMs` that the backend took, including the wait for its link, in milliseconds; 0 without a
       * backend.
       */
      readonly backendMs: number
    }
  /** A request was refused because its tenant, its principal or its tool was over a rate. */
  | {
      readonly kind: 'rate_exceeded'
      readonly tenant: string
      readonly scope: 'tenant' | 'principal' | 'tools'
      /**
       * The refusals since the last event that has this number, this one included. `undefined`: there are many refusals,
       * and only one event in a minute has the number.
       */
      readonly refusals: number | undefined
    }
  /** A request was refused before it ran, with an error of the catalogue. */
  | {
      readonly kind: 'request_refused'
      readonly tenant: string
      readonly method: string
      readonly code: number
      readonly origin: ErrorOrigin
    }

/** The start of one call of a tool. */
interface ToolCall {
  readonly tenant: string
  readonly backend: string
  /** Its public name. */
  readonly tool: string
  readonly trace: string | undefined
  readonly principal: string
}

/** The fields of a job in its events. */
export interface JobEventFields {
  /** The first 10 characters of the job's id. They distinguish jobs and give no access. */
  readonly job: string
  /** Why the request is a job: its answer goes to a stream, or the client collects it with `job.*` or `tasks/*`. */
  readonly purpose: 'queued' | 'async' | 'task'
  readonly tenant: string
  readonly method: string
  /** W3C trace id. */
  readonly trace: string | undefined
  readonly principal: string
}

type JobEvent =
  /** The job is stored. */
  | ({ readonly kind: 'job_submitted' } & JobEventFields)
  /** A node runs the job. `attempt` is more than 1 when an earlier node is gone. */
  | ({ readonly kind: 'job_started'; readonly attempt: number } & JobEventFields)
  /** The job has ended. */
  | ({
      readonly kind: 'job_ended'
      readonly state: 'succeeded' | 'failed' | 'cancelled' | 'expired'
      /** Time since the job was stored, in milliseconds. */
      readonly durationMs: number
    } & JobEventFields)

/** What happened to a session. */
export type SessionEvent =
  | {
      readonly kind: 'session_opened'
      readonly tenant: string
      readonly transport: Head['transport']
      readonly principal: string
      readonly revision: string
      /** The first 12 characters of a hash of the session's id. They distinguish sessions and give no access. */
      readonly session: string
      /** `clientInfo.name` of the client, unchanged, at most 100 characters. */
      readonly client: string
    }
  | {
      readonly kind: 'session_closed'
      readonly tenant: string
      readonly transport: Head['transport']
      readonly session: string
      readonly reason: 'deleted' | 'idle' | 'shutdown' | 'disconnected' | 'reloaded'
      readonly durationMs: number
    }

type StreamTelemetryEvent =
  /** A client reconnected to resume a stream. */
  | { readonly kind: 'stream_resumed'; readonly result: 'resumed' | 'unknown' }
  /** A client read too slowly, so its stream ended. */
  | { readonly kind: 'stream_overflowed'; readonly transport: Head['transport'] }

/** What happened to a connection to a backend. */
export type LinkEvent =
  | {
      readonly kind: 'link_opened'
      readonly backend: string
      /** Empty: the link is for all tenants. */
      readonly tenant: string
      /** The link replaces one that broke. */
      readonly again: boolean
    }
  | {
      readonly kind: 'link_closed'
      readonly backend: string
      readonly tenant: string
      readonly reason: 'idle' | 'ended' | 'shutdown'
    }
  /** A link could not be opened, or it broke. */
  | {
      readonly kind: 'link_failed'
      readonly backend: string
      readonly tenant: string
      readonly phase: 'open' | 'break'
      /** The error message, for the operator: it may name paths and commands. It is never shown to a tenant. */
      readonly message: string
      /** How long the gateway waits before it tries again, in milliseconds. */
      readonly retryAfterMs: number
    }
  | {
      readonly kind: 'backend_state'
      readonly backend: string
      readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
    }
  /** Several calls in a row timed out, so that further calls fail immediately; or that pause has ended. */
  | { readonly kind: 'breaker_changed'; readonly backend: string; readonly state: 'closed' | 'open' | 'half_open' }
  /** A backend sent output that cannot be used. */
  | {
      readonly kind: 'output_discarded'
      readonly backend: string
      readonly reason: 'not_a_message' | 'too_long' | 'not_utf8' | 'late_answer'
    }
  /** The code of a plugin threw an error where it must not. */
  | { readonly kind: 'plugin_failed'; readonly backend: string }
  /** A plugin has counted something of its own. `value` is the label that it chose; empty: none. */
  | {
      readonly kind: 'plugin_counted'
      readonly backend: string
      readonly counter: string
      readonly value: string
      readonly by: number
    }

/** What happened to a caller that asks for access. */
export type AccessEvent =
  /** A caller was refused. */
  | {
      readonly kind: 'access_refused'
      readonly transport: Head['transport']
      readonly tenant: string
      readonly reason:
        | 'missing'
        | 'malformed'
        | 'unknown_key'
        | 'invalid_token'
        | 'insufficient_scope'
        | 'expired'
        | 'not_a_member'
        | 'no_keys'
        /** The nodes could not share whether a proof was used. */
        | 'no_proofs'
    }
  /** The gateway fetched the keys of a token issuer. */
  | { readonly kind: 'issuer_keys_fetched'; readonly result: 'success' | 'failure' }

type NodeEvent =
  | { readonly kind: 'node_started'; readonly node: string }
  | { readonly kind: 'node_stopped'; readonly node: string }
  /** An unexpected error was caught: a fault of the gateway itself. */
  | { readonly kind: 'internal_error'; readonly where: ErrorPlace }
  /** Data of another node, or of the storage that all nodes share, could not be read. */
  | { readonly kind: 'data_unreadable'; readonly data: UnreadableKind }
  /** A new configuration was applied or refused. */
  | {
      readonly kind: 'config_reloaded'
      readonly result: 'success' | 'failure'
      /** The number of problems in the configuration; 0 when it was applied. */
      readonly problems: number
      /** Names of the backends that were added, changed or removed. */
      readonly backends: readonly string[]
    }
  /** A backend was added, changed or removed at the admin port of this node. */
  | {
      readonly kind: 'backend_managed'
      readonly change: 'added' | 'changed' | 'removed'
      readonly backend: string
      readonly tenants: readonly string[]
    }
