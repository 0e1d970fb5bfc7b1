import type { JsonObject, Payload } from '@junctor/jsonrpc'
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

/**
 * What happens to a request, in order:
 * `ack* -> (progress | chunk | notification | ask -> answered)* -> outcome`, and at any time instead an `end`.
 * `outcome` and `end` are the last event, and there is exactly one of them.
 */
export type ExchangeEvent =
  | { readonly kind: 'ack'; readonly ack: Ack }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'chunk'; readonly data: unknown }
  | { readonly kind: 'notification'; readonly notification: NotificationBody }
  | { readonly kind: 'ask'; readonly id: string; readonly request: ClientRequest }
  | { readonly kind: 'withdrawn'; readonly id: string; readonly reason: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'end'; readonly reason: EndReason }
