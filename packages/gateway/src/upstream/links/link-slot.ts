import type { Client } from '@junctor/exchange'
import type { Link, Scope } from '@junctor/contracts'
import type { LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { type Attempts, noAttempts } from './backoff.ts'
import { type BreakerState, closedBreaker } from './breaker.ts'

/** Why there is no link. */
export interface OpenFailure {
  readonly kind: 'failure'
  /**
   * `backing_off`: it failed a moment ago. `open_failed`: it failed now. `overloaded`: there are too many links.
   * `closed`: it is not wanted any more.
   */
  readonly reason: 'backing_off' | 'open_failed' | 'overloaded' | 'closed'
  /** Milliseconds after which another attempt makes sense. */
  readonly retryAfterMs: number | undefined
}

/** Why a link could not be opened. */
export function openFailure(reason: OpenFailure['reason'], retryAfterMs?: number): OpenFailure {
  return { kind: 'failure', reason, retryAfterMs }
}

/** A subscription that the backend has not answered yet. */
export interface AwaitedSubscription {
  readonly session: string
  /** Whether the session has unsubscribed meanwhile. */
  isWithdrawn: boolean
}

/**
 * The place of one link in the pool: for one backend and one scope. Its link may break or be closed as idle, and be
 * opened again. The slot keeps the settings of the link, which are restored on the next link.
 */
export class LinkSlot {
  readonly entry: BackendEntry
  /** What links are opened for. Its token is the latest one. */
  scope: Scope
  /** Receives the messages of the link. */
  readonly client: Client
  /** The open link, if there is one. */
  link: Link | undefined
  /** A running open, shared by all calls that wait for it. */
  opening: Promise<Link | OpenFailure> | undefined
  /** Aborts the running open. */
  stopOpening: AbortController | undefined
  /** Set while the link is opened again for its subscriptions, without a call. Stops further attempts. */
  stopReopening: AbortController | undefined
  /** Breaks of opened links. */
  breaks: Attempts = noAttempts
  /** Epoch milliseconds when the link opened. */
  openedAt = 0
  /** Epoch milliseconds of the last use. */
  lastUsed: number
  /** How many calls use the link now, or wait for it to open. */
  holds = 0
  /** Whether the link accepts calls, depending on how the last calls ended. */
  breaker: BreakerState = closedBreaker
  /** Called when no call uses the link any more. */
  freed: (() => void) | undefined
  /** Whether the slot was removed from the pool: its users must get another one from the pool. */
  retired = false
  /** The log level that was set on the backend. */
  logLevel: LogLevel | undefined
  /** Session ids by subscribed resource, under the backend's own URIs. Created on first use. */
  subscriptions: Map<string, Set<string>> | undefined
  /** By resource, the subscriptions that the backend has not answered yet. */
  subscribing: Map<string, Set<AwaitedSubscription>> | undefined

  constructor(entry: BackendEntry, scope: Scope, now: number, client: (slot: LinkSlot) => Client) {
    this.entry = entry
    this.scope = scope
    this.lastUsed = now
    this.client = client(this)
  }

  /** The owner of the scope has presented this access token, sealed. `undefined`: none. */
  setCallerToken(callerToken: string | undefined): void {
    if (callerToken === undefined || callerToken === this.scope.callerToken) return
    this.scope = { ...this.scope, callerToken }
    this.link?.present?.(callerToken)
  }
}

/** Whether the slot's link is unused and may be closed. */
export function isIdle(slot: LinkSlot): boolean {
  return slot.holds === 0 && slot.opening === undefined && (slot.subscriptions?.size ?? 0) === 0
}
