import type { Client } from '@junctor/exchange'
import type { Link, LinkFact, Log, Scope, Tell } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { pause, waitAtMost, withTimeout } from '../../shared/patience.ts'
import type { BackendCondition, BackendState } from './backend-state.ts'
import { conditionOf, newBackendState } from './backend-state.ts'
import { afterFailure, healthyMs, noAttempts } from './backoff.ts'
import type { Attempts } from './backoff.ts'
import type { BreakerState } from './breaker.ts'
import { closedBreaker, worse } from './breaker.ts'
import { brokenEarly, closedByItself, codeOf, errorOf } from './broken-links.ts'
import type { OpenFailure } from './link-slot.ts'
import { LinkSlot, isIdle } from './link-slot.ts'
import { createLinkPlaces } from './link-places.ts'

/** What the pool tells of its links. */
export interface LinkEvents {
  /** A link opened. What was set on the one before it is to be set again before anybody uses it. */
  opened(slot: LinkSlot, link: Link): Promise<void>
  /** A backend cannot be reached any more, or can be again. Told once for each change. */
  reachable(entry: BackendEntry, reachable: boolean): void
  /** What a new slot's link speaks to. */
  client: (slot: LinkSlot) => Client
}

/** How a backend does on this node. */
export interface BackendHealth {
  readonly state: BackendCondition
  readonly error: Error | undefined
  readonly links: number
  /** Calls that hold a link now, or wait for it to open. */
  readonly inFlight: number
  /** Scopes that wait for a place. */
  readonly queued: number
  /** The worst of its links' breakers. */
  readonly breaker: BreakerState['kind']
}

/** All links of a node: opened on demand, shared within their scope, capped by backend, closed when idle. */
export interface LinkPool {
  slot(entry: BackendEntry, scope: Scope): LinkSlot
  /**
   * The slot's link: at once when it is open. Never rejects. The slot is held until `release`, which is owed for every
   * call of this, also when there is no link: what is held is neither reaped nor closed for others.
   */
  acquire(slot: LinkSlot): Link | Promise<Link | OpenFailure>
  /** Ends one hold: the link may be reaped, or its place given to a waiting scope. */
  release(slot: LinkSlot): void
  /** Closes the slot of the scope for good, if there is one. A link that is still opening is told to stop. */
  retire(entry: BackendEntry, scope: Scope): Promise<void>
  /**
   * Nobody has the backend any more: there are no new links to it. Calls that run on old ones may end, within a bound.
   * Resolves when all its links are closed.
   */
  remove(entry: BackendEntry): Promise<void>
  /** The backend is told to be there again: the next open is tried at once, whatever came of those before. */
  revive(entry: BackendEntry): void
  /** The backend is told to be gone, before anybody has found out by trying. */
  miss(entry: BackendEntry, error: Error): void
  health(entry: BackendEntry): BackendHealth
  /** Closes what was not used for its backend's idle time. */
  sweep(): void
  close(): Promise<void>
}

export interface LinkPoolOptions {
  readonly events: LinkEvents
  readonly log: Log
  readonly tell: Tell
  readonly clock: Clock
  /** A number in [0, 1), for jitter. */
  readonly random: () => number
}

/** A request waits for a backend that is backing off when the pause ends within this, in milliseconds. */
const shortPauseMs = 1_000
/** How long calls on a backend that was removed may go on, in milliseconds. */
const removalMs = 10_000
/** Time for a link to open, in milliseconds: long enough for a package runner on a cold cache. */
export const openTimeoutMs = 60_000

type CloseReason = Extract<LinkFact, { kind: 'link_closed' }>['reason']

export function createLinkPool(options: LinkPoolOptions): LinkPool {
  const { events, clock, log, random } = options
  const { now } = clock
  const slots = new Map<string, LinkSlot>()
  const states = new WeakMap<BackendEntry, BackendState>()
  const places = createLinkPlaces(clock)
  const ending = new Set<Promise<void>>()
  let closed = false
  let ids = 0

  const tell = (entry: BackendEntry, fact: LinkFact): void => {
    if (entry.builtIn !== true) options.tell(fact)
  }

  const stateOf = (entry: BackendEntry): BackendState => {
    let state = states.get(entry)
    if (state === undefined) states.set(entry, (state = newBackendState((ids += 1))))
    return state
  }

  const keyOf = (entry: BackendEntry, scope: Scope): string => `${stateOf(entry).id} ${scope.key}`

  const closeQuietly = async (entry: BackendEntry, link: Link): Promise<void> => {
    try {
      await link.close()
    } catch (error) {
      log.warn('a link did not close cleanly', { backend: entry.backend.name, error })
    }
  }

  /** Ends a link; its place is free when it has closed. */
  const endLink = async (entry: BackendEntry, link: Link): Promise<void> => {
    const state = stateOf(entry)
    state.closing += 1
    await closeQuietly(entry, link)
    state.closing -= 1
    places.leave(entry)
  }

  /** The link is gone, and with it what hung. */
  const dropLink = (slot: LinkSlot): void => {
    const { kind } = slot.breaker
    slot.link = undefined
    slot.breaker = closedBreaker
    if (kind !== 'closed')
      tell(slot.entry, { kind: 'breaker_changed', backend: slot.entry.backend.name, state: 'closed' })
  }

  const closeLink = (slot: LinkSlot, reason: CloseReason): void => {
    const { entry, link } = slot
    if (link === undefined) return
    dropLink(slot)
    tell(entry, { kind: 'link_closed', backend: entry.backend.name, tenant: slot.scope.tenant, reason })
    const ended = endLink(entry, link).finally(() => ending.delete(ended))
    ending.add(ended)
  }

  /** Closes the link that was idle for longest, when somebody waits for a place that no closing link will leave. */
  const makeRoom = (entry: BackendEntry): void => {
    if (places.waiting(entry) <= stateOf(entry).closing) return
    let oldest: LinkSlot | undefined
    for (const slot of slots.values()) {
      if (slot.entry !== entry || slot.link === undefined || !isIdle(slot)) continue
      if (oldest === undefined || slot.lastUsed < oldest.lastUsed) oldest = slot
    }
    if (oldest !== undefined) closeLink(oldest, 'idle')
  }

  const takePlace = (entry: BackendEntry, signal: AbortSignal): boolean | Promise<boolean> => {
    if (places.take(entry)) return true
    const waited = places.wait(entry, signal)
    makeRoom(entry)
    return waited
  }

  const tellFailed = (slot: LinkSlot, phase: 'open' | 'break', { message }: Error, { notBefore }: Attempts): void => {
    const { entry, scope } = slot
    const retryAfterMs = Math.max(0, Math.ceil(notBefore - now()))
    tell(entry, {
      kind: 'link_failed',
      backend: entry.backend.name,
      tenant: scope.tenant,
      phase,
      message,
      retryAfterMs,
    })
    tellState(slot)
  }

  /** By the slot that something just happened to: looking at all of them each time would cost too much. */
  const tellState = ({ entry, breaks, link }: LinkSlot): void => {
    const state = stateOf(entry)
    const failures = Math.max(state.opens.failures, link === undefined ? breaks.failures : 0)
    const told = conditionOf(state, failures)
    if (told === state.told) return
    state.told = told
    tell(entry, { kind: 'backend_state', backend: entry.backend.name, state: told })
  }

  const becomeDown = (entry: BackendEntry, error: Error): void => {
    const state = stateOf(entry)
    state.error = error
    if (state.down) return
    state.down = true
    events.reachable(entry, false)
  }

  const watch = async (slot: LinkSlot, link: Link): Promise<void> => {
    // It never rejects, but for the fault of a plugin, which is no reason for this process to end.
    const error = await link.closed.catch(errorOf)
    if (slot.link !== link) return
    dropLink(slot)
    const broken = error ?? closedByItself()
    // No fault of the backend, which others may hold.
    if (codeOf(broken) !== 'NODE_LEFT') {
      slot.breaks = afterFailure(slot.breaks, now(), now() - slot.openedAt, random())
      stateOf(slot.entry).error = broken
    }
    log.warn('a backend link broke', { backend: slot.entry.backend.name, error: broken.message })
    tellFailed(slot, 'break', broken, slot.breaks)
    places.leave(slot.entry)
    if (codeOf(broken) === 'NODE_LEFT') void reopen(slot)
  }

  /** Opens a link that somebody listens on, though nobody calls: its subscriptions are what it is there for. */
  const reopen = async (slot: LinkSlot): Promise<void> => {
    if (slot.link !== undefined || (slot.subscriptions?.size ?? 0) === 0) return
    await pool.acquire(slot)
    pool.release(slot)
  }

  /** Opens a link and sets on it what was set on the one before. What breaks or takes too long meanwhile is closed. */
  const connect = async (slot: LinkSlot, signal: AbortSignal): Promise<Link> => {
    const link = await slot.entry.backend.open(slot.scope, slot.client, signal)
    try {
      await Promise.race([brokenEarly(link), events.opened(slot, link)])
      signal.throwIfAborted()
      return link
    } catch (error) {
      await closeQuietly(slot.entry, link)
      throw error
    }
  }

  const open = async (slot: LinkSlot, signal: AbortSignal): Promise<Link | OpenFailure> => {
    const { entry } = slot
    const state = stateOf(entry)
    const wait = Math.max(state.opens.notBefore, slot.breaks.notBefore) - now()
    if (wait > shortPauseMs) return failure('backing_off', state.error, wait)
    if (wait > 0) await pause(clock, wait, signal)
    if (!(await takePlace(entry, signal))) return failure(signal.aborted ? 'closed' : 'overloaded')
    try {
      signal.throwIfAborted()
      const link = await withTimeout(clock, openTimeoutMs, (stop) => connect(slot, stop), signal)
      slot.openedAt = now()
      state.opens = noAttempts
      state.reached = true
      state.error = undefined
      slot.link = link
      void watch(slot, link)
      const again = slot.breaks.failures > 0
      tell(entry, { kind: 'link_opened', backend: entry.backend.name, tenant: slot.scope.tenant, again })
      if (state.down) {
        state.down = false
        events.reachable(entry, true)
      }
      tellState(slot)
      return link
    } catch (error) {
      places.leave(entry)
      // Not the backend's fault: nobody wants the link any more.
      if (signal.aborted) return failure('closed')
      const cause = errorOf(error)
      if (codeOf(cause) === 'LIMIT_REACHED') return failure('overloaded', cause)
      state.opens = afterFailure(state.opens, now(), 0, random())
      log.warn('a backend could not be opened', { backend: entry.backend.name, error: cause.message })
      becomeDown(entry, cause)
      tellFailed(slot, 'open', cause, state.opens)
      return failure('open_failed', cause, state.opens.notBefore - now())
    }
  }

  const retireSlot = async (slot: LinkSlot, reason: CloseReason): Promise<void> => {
    slot.retired = true
    slot.stopOpening?.abort(new Error('nobody wants this link any more'))
    await slot.opening
    closeLink(slot, reason)
  }

  const removeSlot = async (slot: LinkSlot): Promise<void> => {
    slot.retired = true
    slots.delete(keyOf(slot.entry, slot.scope))
    if (slot.link !== undefined && slot.holders > 0) await waitAtMost(clock, removalMs, whenFree(slot))
    await retireSlot(slot, 'ended')
  }

  const pool: LinkPool = {
    slot(entry, scope) {
      const key = keyOf(entry, scope)
      const known = slots.get(key)
      if (known !== undefined) return known
      const slot = new LinkSlot(entry, scope, now(), events.client)
      // Whoever was on the way to a backend that is gone meanwhile is told so; nothing is kept for it.
      if (stateOf(entry).removed) slot.retired = true
      else slots.set(key, slot)
      return slot
    },
    acquire(slot) {
      slot.holders += 1
      slot.lastUsed = now()
      if (slot.link !== undefined) return slot.link
      if (slot.retired || closed) return Promise.resolve(failure('closed'))
      if (slot.opening === undefined) {
        const stop = new AbortController()
        slot.stopOpening = stop
        slot.opening = open(slot, stop.signal).finally(() => {
          slot.opening = undefined
          slot.stopOpening = undefined
        })
      }
      return slot.opening
    },
    release(slot) {
      slot.holders -= 1
      slot.lastUsed = now()
      if (slot.holders > 0) return
      slot.freed?.()
      makeRoom(slot.entry)
    },
    async retire(entry, scope) {
      const key = keyOf(entry, scope)
      const slot = slots.get(key)
      if (slot === undefined) return
      slots.delete(key)
      await retireSlot(slot, 'ended')
    },
    async remove(entry) {
      stateOf(entry).removed = true
      const own = [...slots.values()].filter((slot) => slot.entry === entry)
      await Promise.all(own.map(removeSlot))
      await Promise.all(ending)
    },
    revive(entry) {
      stateOf(entry).opens = noAttempts
      for (const slot of slots.values()) {
        if (slot.entry !== entry) continue
        slot.breaks = noAttempts
        void reopen(slot)
      }
    },
    miss: becomeDown,
    health(entry) {
      const state = stateOf(entry)
      let failures = state.opens.failures
      let inFlight = 0
      let breaker: BreakerState['kind'] = 'closed'
      for (const slot of slots.values()) {
        if (slot.entry !== entry) continue
        inFlight += slot.holders
        breaker = worse(breaker, slot.breaker.kind)
        const healthy = slot.link !== undefined && now() - slot.openedAt >= healthyMs
        if (!healthy) failures = Math.max(failures, slot.breaks.failures)
      }
      const links = places.taken(entry)
      return {
        state: conditionOf(state, failures),
        error: state.error,
        links,
        inFlight,
        queued: places.waiting(entry),
        breaker,
      }
    },
    sweep() {
      for (const [key, slot] of slots) {
        if (!isIdle(slot) || now() - slot.lastUsed < slot.entry.idleMs) continue
        if (slot.link !== undefined) closeLink(slot, 'idle')
        else if (slot.scope.session === undefined) {
          slot.retired = true
          slots.delete(key)
        }
      }
    },
    async close() {
      closed = true
      await Promise.all([...slots.values()].map((slot) => retireSlot(slot, 'shutdown')))
      slots.clear()
      await Promise.all(ending)
    },
  }
  return pool
}

/** Resolves when nobody holds the slot any more. */
function whenFree(slot: LinkSlot): Promise<void> {
  return new Promise((resolve) => {
    slot.freed = resolve
  })
}

function failure(reason: OpenFailure['reason'], cause?: Error, retryAfterMs?: number): OpenFailure {
  return { kind: 'failure', reason, cause, retryAfterMs }
}
