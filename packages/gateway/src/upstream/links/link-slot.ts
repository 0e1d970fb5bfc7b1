import type { Client } from '@junctor/exchange'
import type { Link, Scope } from '@junctor/contracts'
import type { LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Attempts } from './backoff.ts'
import { noAttempts } from './backoff.ts'
import type { BreakerState } from './breaker.ts'
import { closedBreaker } from './breaker.ts'

/** Why there is no link. */
export interface OpenFailure {
  readonly kind: 'failure'
  /** `backing_off`: it failed a moment ago; `open_failed`: it failed now; `overloaded`: too many links; `closed`. */
  readonly reason: 'backing_off' | 'open_failed' | 'overloaded' | 'closed'
  readonly cause: Error | undefined
  /** Milliseconds after which another attempt makes sense. */
  readonly retryAfterMs: number | undefined
}

export function openFailure(reason: OpenFailure['reason'], cause?: Error, retryAfterMs?: number): OpenFailure {
  return { kind: 'failure', reason, cause, retryAfterMs }
}

/**
 * The slot of one link in the pool: one backend, one scope. Its link may break, idle away and be opened again; what was
 * set on it upstream is remembered here and set again.
 */
export class LinkSlot {
  readonly entry: BackendEntry
  readonly scope: Scope
  /** What the link speaks to. */
  readonly client: Client
  /** The open link, when there is one. */
  link: Link | undefined
  /** An open under way, shared by all calls that wait for it. */
  opening: Promise<Link | OpenFailure> | undefined
  /** Tells the open under way to stop. */
  stopOpening: AbortController | undefined
  /** Breaks of links that had opened. */
  breaks: Attempts = noAttempts
  /** Epoch milliseconds when the link opened. */
  openedAt = 0
  /** Epoch milliseconds of the last use. */
  lastUsed: number
  /** How many calls use the link now, or wait for it to open. */
  holds = 0
  /** Whether calls are let through to the link, by how the last ones went. */
  breaker: BreakerState = closedBreaker
  /** Called when no call uses the link any more. */
  freed: (() => void) | undefined
  /** Taken out of the pool: its users ask the pool for another. */
  retired = false
  /** The log level that was asked of the upstream. */
  logLevel: LogLevel | undefined
  /** Sessions by subscribed resource, under the backend's own URIs. Made when first used. */
  subscriptions: Map<string, Set<string>> | undefined

  constructor(entry: BackendEntry, scope: Scope, now: number, client: (slot: LinkSlot) => Client) {
    this.entry = entry
    this.scope = scope
    this.lastUsed = now
    this.client = client(this)
  }
}

/** Whether the slot's link could be closed now and disturb nobody. */
export function isIdle(slot: LinkSlot): boolean {
  return slot.holds === 0 && slot.opening === undefined && (slot.subscriptions?.size ?? 0) === 0
}
