import type { Scope } from '@junctor/contracts'
import type { BackendEntry } from '../shared/backend-entry.ts'

/** A link that serves one request at a time. */
export interface Lane {
  readonly entry: BackendEntry
  /** Its `session` is the id of the lane. */
  readonly scope: Scope
  /** The key of the scope that its requests share. */
  readonly shared: string
}

interface FreeLane {
  readonly lane: Lane
  /** Epoch milliseconds. */
  readonly since: number
}

/**
 * The links of requests without a session that must not share one: a backend that does not say which request causes a
 * question or a log message gets one request at a time. The requests of a principal with the same capabilities use a
 * link one after the other.
 */
export class Lanes {
  readonly #close: (lane: Lane) => void
  /** By the key of the shared scope; the lane that was used last is at the end. */
  readonly #free = new Map<BackendEntry, Map<string, FreeLane[]>>()
  #count = 0

  /** @param close closes the link of a lane permanently */
  constructor(close: (lane: Lane) => void) {
    this.#close = close
  }

  /** A lane that no other request uses. */
  lease(entry: BackendEntry, shared: Scope): Lane {
    const free = this.#free.get(entry)?.get(shared.key)?.pop()
    if (free !== undefined) return free.lane
    this.#count += 1
    const id = `lane ${this.#count}`
    return { entry, scope: { ...shared, session: id, key: id }, shared: shared.key }
  }

  /** Keeps a lane for the next request. */
  giveBack(lane: Lane, now: number): void {
    let lanes = this.#free.get(lane.entry)
    if (lanes === undefined) this.#free.set(lane.entry, (lanes = new Map()))
    const free = lanes.get(lane.shared)
    if (free === undefined) lanes.set(lane.shared, [{ lane, since: now }])
    else free.push({ lane, since: now })
  }

  /** Closes a lane whose backend may still be busy with its request: a late question would be the next request's. */
  drop(lane: Lane): void {
    this.#close(lane)
  }

  /** Closes the lanes that were not used since a time, in epoch milliseconds. */
  sweep(before: number): void {
    for (const [entry, lanes] of this.#free) {
      for (const [key, free] of lanes) {
        const kept = free.filter(({ since }) => since >= before)
        for (const { lane, since } of free) if (since < before) this.#close(lane)
        if (kept.length === 0) lanes.delete(key)
        else lanes.set(key, kept)
      }
      if (lanes.size === 0) this.#free.delete(entry)
    }
  }
}
