import type { JsonObject, Payload } from '@junctor/jsonrpc'
import type { AskOptions } from './ask-options.ts'
import type { ClientRequest, EndReason, Outcome } from './outcome.ts'

/** A sign of life that promises an outcome: JSON-RPC 3.0's ack, with what an extension adds to it. */
export interface Ack {
  readonly info?: JsonObject
}

/** How far the work is (`notifications/progress`). `progress` only ever rises. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  /** Shown from 2025-03-26 on. */
  readonly message?: string
}

/** A message that expects no answer. */
export interface NotificationBody {
  readonly method: string
  readonly params: Payload | undefined
}

/** A question to the client. */
export interface AskEvent {
  readonly kind: 'ask'
  /** Names the ask in the whole cluster, and is the id of the request that the client gets. */
  readonly id: string
  readonly request: ClientRequest
  /** For outlets that pass the ask on to another exchange; renderers have no use for them. */
  readonly options?: AskOptions | undefined
}

/**
 * What happens to a request, in order:
 * `ack* -> (progress | chunk | notification | ask -> answered)* -> outcome`, and at any time instead an `end`.
 * `outcome` and `end` are the last event, and there is exactly one of them. `withdrawn` takes back an ask that was shown.
 */
export type ExchangeEvent = OrdinaryEvent | LastEvent

/** What may happen any number of times. */
export type OrdinaryEvent =
  | { readonly kind: 'ack'; readonly ack: Ack }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'chunk'; readonly data: unknown }
  | { readonly kind: 'notification'; readonly notification: NotificationBody }
  | AskEvent
  | { readonly kind: 'withdrawn'; readonly id: string; readonly reason: string }

/** What happens once, after everything else. */
export type LastEvent =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'end'; readonly reason: EndReason }
