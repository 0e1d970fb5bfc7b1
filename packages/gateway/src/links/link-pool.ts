import type { Client, Link, Log, Scope } from '@junctor/exchange'
import type { BackendEntry } from '../backend-entry.ts'
import type { Clock } from '../clock.ts'
import { withTimeout } from '../patience.ts'
import { afterFailure, crashLoopFailures, noAttempts } from './backoff.ts'
import type { Attempts } from './backoff.ts'
import type { OpenFailure } from './link-slot.ts'
import { LinkSlot, isIdle } from './link-slot.ts'
import { createLinkQueue } from './link-queue.ts'

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
  readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
  readonly error: Error | undefined
  readonly links: number
}

/** All links of a node: opened on demand, shared within their scope, capped by backend, closed when idle. */
export interface LinkPool {
  slot(entry: BackendEntry, scope: Scope): LinkSlot
  /** The slot's link: at once when it is open. Never rejects. */
  acquire(slot: LinkSlot): Link | Promise<Link | OpenFailure>
  /** A call on the slot's link is over: the link may be reaped, or its place given to a waiting scope. */
  release(slot: LinkSlot): void
  /** Closes a slot for good. */
  retire(slot: LinkSlot): Promise<void>
  slots(): Iterable<LinkSlot>
  health(entry: BackendEntry): BackendHealth
  /** Closes what was not used for its backend's idle time. */
  sweep(): void
  close(): Promise<void>
}

export interface LinkPoolOptions {
  readonly events: LinkEvents
  readonly log: Log
  readonly clock: Clock
  /** A number in [0, 1), for jitter. */
  readonly random: () => number
}

/** A request waits for a backend that is backing off when the pause ends within this, in milliseconds. */
const shortPauseMs = 1_000
/** Time for a link to open: long enough for a package runner on a cold cache. */
const openTimeoutMs = 60_000

interface BackendState {
  /** Opens that failed, of any scope: a backend that cannot start is not tried by every session. */
  opens: Attempts
  error: Error | undefined
  reached: boolean
  /** The last attempt failed, and nothing has opened since. */
  down: boolean
}

export function createLinkPool(options: LinkPoolOptions): LinkPool {
  const { events, clock, log, random } = options
  const { now } = clock
  const slots = new Map<string, LinkSlot>()
  const states = new Map<BackendEntry, BackendState>()
  const queue = createLinkQueue(clock)
  const closing = new AbortController()
  const ending = new Set<Promise<void>>()

  const stateOf = (entry: BackendEntry): BackendState => {
    let state = states.get(entry)
    if (state === undefined)
      states.set(entry, (state = { opens: noAttempts, error: undefined, reached: false, down: false }))
    return state
  }

  const linksOf = (entry: BackendEntry): number => {
    let count = 0
    for (const slot of slots.values()) {
      if (slot.entry === entry && (slot.link !== undefined || slot.opening !== undefined)) count += 1
    }
    return count
  }

  const closeQuietly = async (entry: BackendEntry, link: Link): Promise<void> => {
    try {
      await link.close()
    } catch (error) {
      log.warn('a link did not close cleanly', { backend: entry.backend.name, error })
    }
  }

  const closeLink = (slot: LinkSlot): void => {
    const { link } = slot
    if (link === undefined) return
    slot.link = undefined
    const closed = closeQuietly(slot.entry, link)
    ending.add(closed)
    void closed.finally(() => {
      ending.delete(closed)
      queue.freed(slot.entry)
    })
  }

  /** Makes room for one more link of the backend; false when nothing is idle. */
  const makeRoom = (entry: BackendEntry): boolean => {
    if (linksOf(entry) < entry.maxLinks) return true
    let oldest: LinkSlot | undefined
    for (const slot of slots.values()) {
      if (slot.entry !== entry || slot.link === undefined || !isIdle(slot)) continue
      if (oldest === undefined || slot.lastUsed < oldest.lastUsed) oldest = slot
    }
    if (oldest === undefined) return false
    closeLink(oldest)
    return true
  }

  const watch = async (slot: LinkSlot, link: Link): Promise<void> => {
    const error = await link.closed
    if (slot.link !== link) return
    slot.link = undefined
    const broken = error ?? new Error('the link closed by itself')
    slot.breaks = afterFailure(slot.breaks, now(), now() - slot.openedAt, random())
    stateOf(slot.entry).error = broken
    log.warn('a backend link broke', { backend: slot.entry.backend.name, error: broken.message })
    queue.freed(slot.entry)
  }

  const open = async (slot: LinkSlot): Promise<Link | OpenFailure> => {
    const { entry } = slot
    const state = stateOf(entry)
    const pause = Math.max(state.opens.notBefore, slot.breaks.notBefore) - now()
    if (pause > shortPauseMs) return failure('backing_off', state.error, pause)
    if (pause > 0) await queue.pause(pause)
    while (!makeRoom(entry)) {
      if (!(await queue.wait(entry))) return failure('overloaded', undefined, undefined)
    }
    if (slot.retired || closing.signal.aborted) return failure('closed', undefined, undefined)
    try {
      const connect = (signal: AbortSignal): Promise<Link> => entry.backend.open(slot.scope, slot.client, signal)
      const link = await withTimeout(clock, openTimeoutMs, connect, closing.signal)
      if (slot.retired || closing.signal.aborted) {
        await link.close()
        return failure('closed', undefined, undefined)
      }
      slot.openedAt = now()
      state.opens = noAttempts
      state.reached = true
      state.error = undefined
      await events.opened(slot, link)
      slot.link = link
      void watch(slot, link)
      if (state.down) {
        state.down = false
        events.reachable(entry, true)
      }
      return link
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      state.opens = afterFailure(state.opens, now(), 0, random())
      state.error = cause
      log.warn('a backend could not be opened', { backend: entry.backend.name, error: cause.message })
      queue.freed(entry)
      if (!state.down && !closing.signal.aborted) {
        state.down = true
        events.reachable(entry, false)
      }
      return failure('open_failed', cause, state.opens.notBefore - now())
    }
  }

  return {
    slot(entry, scope) {
      const key = `${entry.backend.name} ${scope.key}`
      let slot = slots.get(key)
      if (slot === undefined) slots.set(key, (slot = new LinkSlot(entry, scope, now(), events.client)))
      return slot
    },
    acquire(slot) {
      slot.lastUsed = now()
      if (slot.link !== undefined) return slot.link
      if (slot.retired) return Promise.resolve(failure('closed', undefined, undefined))
      slot.opening ??= open(slot).finally(() => {
        slot.opening = undefined
      })
      return slot.opening
    },
    release(slot) {
      slot.lastUsed = now()
      if (slot.calls === 0) queue.freed(slot.entry)
    },
    async retire(slot) {
      slot.retired = true
      slots.delete(`${slot.entry.backend.name} ${slot.scope.key}`)
      await slot.opening
      closeLink(slot)
    },
    slots: () => slots.values(),
    health(entry) {
      const state = stateOf(entry)
      const breaks = [...slots.values()].filter((slot) => slot.entry === entry).map((slot) => slot.breaks.failures)
      const failures = Math.max(state.opens.failures, ...breaks, 0)
      const links = linksOf(entry)
      return { state: healthState(state, failures, links), error: state.error, links }
    },
    sweep() {
      for (const [key, slot] of slots) {
        if (!isIdle(slot) || now() - slot.lastUsed < slot.entry.idleMs) continue
        if (slot.link !== undefined) closeLink(slot)
        else if (slot.scope.session === undefined) {
          slot.retired = true
          slots.delete(key)
        }
      }
    },
    async close() {
      closing.abort(new Error('the node is closing'))
      queue.close()
      await Promise.all(
        [...slots.values()].map(async (slot) => {
          slot.retired = true
          await slot.opening
          closeLink(slot)
        }),
      )
      slots.clear()
      await Promise.all(ending)
    },
  }
}

function failure(
  reason: OpenFailure['reason'],
  cause: Error | undefined,
  retryAfterMs: number | undefined,
): OpenFailure {
  return { kind: 'failure', reason, cause, retryAfterMs }
}

function healthState(state: BackendState, failures: number, links: number): BackendHealth['state'] {
  if (failures >= crashLoopFailures) return 'crash_looping'
  if (state.down) return 'down'
  return links > 0 || state.reached ? 'up' : 'starting'
}
