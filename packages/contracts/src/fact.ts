import type { Head } from './head.ts'
import type { Workplace } from './workplace.ts'

/**
 * Something that happened in a node, as plain data: what metrics count, the event log shows and the audit stream keeps.
 * Whoever makes it happen tells it once; nobody who tells knows who listens. A fact holds names, numbers and reasons:
 * never arguments, results, tokens or whole session ids.
 */
export type Fact = RequestFact | JobFact | SessionFact | StreamFact | LinkFact | AccessFact | NodeFact

/** Hears facts. Never throws and never keeps the teller waiting; facts of one node come in the order of their time. */
export type Tell = (fact: Fact) => void

/** Where nobody listens. */
export const tellNobody: Tell = () => {}

/** How a request ended. `error`: a JSON-RPC error; `tool_error`: a result that says `isError`; the rest: an end. */
export type RequestOutcome = 'success' | 'tool_error' | 'error' | 'cancelled' | 'deadline' | 'ended'

/** Whose fault an error is. */
export type ErrorOrigin = 'client' | 'gateway' | 'backend'

export type RequestFact =
  /** A notification was received from a client. `method` may be anything: whoever counts it bounds it. */
  | { readonly kind: 'notification_received'; readonly tenant: string; readonly method: string }
  /** A notification to a client was not delivered. */
  | { readonly kind: 'notification_dropped'; readonly reason: 'overflow' | 'no_owner'; readonly count: number }
  /** A tool is about to be called at its backend. */
  | ({ readonly kind: 'tool_call_started' } & ToolCall)
  /** A request that reached the node where its session is at home was answered, or ended. */
  | {
      readonly kind: 'request_finished'
      readonly tenant: string
      readonly transport: Head['transport']
      readonly method: string
      /** Its backend; undefined when the gateway answered by itself. */
      readonly backend: string | undefined
      /** The tool under its public name, when it was a call of one that exists. */
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
      /** The part of it that the backend took, waiting for its link included; 0 without one. */
      readonly backendMs: number
    }
  /** A request was refused before it was run, with an error of the catalogue. */
  | {
      readonly kind: 'request_refused'
      readonly tenant: string
      readonly method: string
      readonly code: number
      readonly origin: ErrorOrigin
    }

/** One call of a tool, as it starts. */
interface ToolCall {
  readonly tenant: string
  readonly backend: string
  /** Its public name. */
  readonly tool: string
  readonly trace: string | undefined
  readonly principal: string
}

/** A job, as its facts name it. */
export interface ToldJob {
  /** The first 10 characters of its id: tells jobs apart and opens none. */
  readonly job: string
  /** Why it is a job: its answer goes to a stream, or is collected by `job.*` or `tasks/*`. */
  readonly purpose: 'queued' | 'async' | 'task'
  readonly tenant: string
  readonly method: string
  /** W3C trace id. */
  readonly trace: string | undefined
  readonly principal: string
}

type JobFact =
  /** It is stored. */
  | ({ readonly kind: 'job_submitted' } & ToldJob)
  /** A node runs it. `attempt` is more than 1 when the node before is gone. */
  | ({ readonly kind: 'job_started'; readonly attempt: number } & ToldJob)
  /** It is over. */
  | ({
      readonly kind: 'job_ended'
      readonly state: 'succeeded' | 'failed' | 'cancelled' | 'expired'
      /** Since it was stored. */
      readonly durationMs: number
    } & ToldJob)

export type SessionFact =
  | {
      readonly kind: 'session_opened'
      readonly tenant: string
      readonly transport: Head['transport']
      readonly principal: string
      readonly revision: string
      /** The first 12 characters of a hash of its id: tells sessions apart and opens none. */
      readonly session: string
      /** `clientInfo.name`, as it came, at most 100 characters. */
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

type StreamFact =
  /** A client came back for the rest of a stream. */
  | { readonly kind: 'stream_resumed'; readonly result: 'resumed' | 'unknown' }
  /** A reader was too slow; its stream ended. */
  | { readonly kind: 'stream_overflowed'; readonly transport: Head['transport'] }

export type LinkFact =
  | {
      readonly kind: 'link_opened'
      readonly backend: string
      /** Empty: the link is for all tenants. */
      readonly tenant: string
      /** It follows one that broke. */
      readonly again: boolean
    }
  | {
      readonly kind: 'link_closed'
      readonly backend: string
      readonly tenant: string
      readonly reason: 'idle' | 'ended' | 'shutdown'
    }
  /** A link could not be opened, or broke. */
  | {
      readonly kind: 'link_failed'
      readonly backend: string
      readonly tenant: string
      readonly phase: 'open' | 'break'
      /** What the error says, for whoever runs the gateway: it may name paths and commands. No tenant is shown it. */
      readonly message: string
      /** Before this many milliseconds nobody tries again. */
      readonly retryAfterMs: number
    }
  | {
      readonly kind: 'backend_state'
      readonly backend: string
      readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
    }
  /** Calls in a row timed out, so that further ones fail at once; or the pause is over. */
  | { readonly kind: 'breaker_changed'; readonly backend: string; readonly state: 'closed' | 'open' | 'half_open' }
  /** A backend sent something that cannot be used. */
  | {
      readonly kind: 'output_discarded'
      readonly backend: string
      readonly reason: 'not_a_message' | 'too_long' | 'not_utf8' | 'late_answer'
    }
  /** A plugin's code threw where it must not. */
  | { readonly kind: 'plugin_failed'; readonly backend: string }

export type AccessFact =
  /** A caller was not let in. */
  | {
      readonly kind: 'access_refused'
      readonly transport: Head['transport']
      readonly tenant: string
      readonly reason:
        | 'missing'
        | 'malformed'
        | 'unknown_key'
        | 'invalid_token'
        | 'expired'
        | 'not_a_member'
        | 'no_keys'
    }
  /** The keys of an issuer were asked for. */
  | { readonly kind: 'issuer_keys_fetched'; readonly result: 'success' | 'failure' }

type NodeFact =
  | { readonly kind: 'node_started'; readonly node: string }
  | { readonly kind: 'node_stopped'; readonly node: string }
  /** An error came up where none may, and was caught: a fault of the gateway itself. */
  | { readonly kind: 'internal_error'; readonly where: Workplace }
  /** A new configuration was taken over, or refused. */
  | {
      readonly kind: 'config_reloaded'
      readonly result: 'success' | 'failure'
      /** How many things are wrong with it; 0 when it was taken over. */
      readonly problems: number
      /** Backends that were added, changed or removed. */
      readonly backends: readonly string[]
    }
