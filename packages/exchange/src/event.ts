import type { JsonObject, Payload } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'
import type { AskOptions } from './ask-options.ts'
import type { EndReason, Outcome } from './outcome.ts'

/** An acknowledgement that promises an outcome: the ack of JSON-RPC 3.0, with members that extensions add. */
export interface Ack {
  readonly info?: JsonObject
}

/** The progress of the work (`notifications/progress`). `progress` only rises. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  /** Sent from 2025-03-26 on. */
  readonly message?: string
  /** The other members of the params: `_meta`, and those that no revision knows. They pass unchanged. */
  readonly more?: JsonObject
}

/** A message without an answer. */
export interface NotificationBody {
  readonly method: string
  readonly params: Payload | undefined
}

/** A request to the client, or to the gateway. */
export interface AskEvent {
  readonly kind: 'ask'
  /** Unique in the cluster. It is also the id of the request that the client receives. */
  readonly id: string
  readonly request: ClientRequest
  /** `gateway`: a call of another tool, which no client must see. Absent: the client is asked. */
  readonly to?: 'gateway' | undefined
  /** Only for outlets that forward the ask to another exchange; renderers do not use it. */
  readonly options?: AskOptions | undefined
}

/**
 * The events of a request, in order: `ack* -> (progress | chunk | notification | ask -> answered)* -> outcome`, or at
 * any time an `end` instead. The last event is either `outcome` or `end`, exactly once. `withdrawn` takes back an ask
 * that was shown.
 */
export type ExchangeEvent = OrdinaryEvent | LastEvent

/** Events that may occur any number of times. */
export type OrdinaryEvent =
  | { readonly kind: 'ack'; readonly ack: Ack }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'chunk'; readonly data: unknown }
  | { readonly kind: 'notification'; readonly notification: NotificationBody }
  | AskEvent
  | { readonly kind: 'withdrawn'; readonly id: string; readonly reason: string }
  /** The backend has started this task for the request. It is for the job that runs the request, and not for its client. */
  | { readonly kind: 'task_started'; readonly task: string }

/** Events that occur once, after all others. */
export type LastEvent =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'end'; readonly reason: EndReason }
