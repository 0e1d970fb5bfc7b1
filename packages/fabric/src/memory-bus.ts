import type { ErrorReporter, NodeChange } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { keptOr } from '@junctor/primitives'
import { ExpiryTimer } from './expiry-timer.ts'
import { MemoryCalls } from './memory-calls.ts'
import { MemoryEntries } from './memory-log.ts'
import { MemorySeal } from './memory-seal.ts'
import { MemoryItems } from './memory-queue.ts'
import { MemoryRecords } from './memory-store.ts'
import { Services } from './services.ts'
import { steadyTime } from './steady-time.ts'

/** A node, as the other nodes on its bus reach it. */
export interface Member {
  readonly node: string
  /** Delivers a control in a later turn, in the order of sending. */
  deliver(control: string, from: string): void
  readonly about: JsonObject
  /** Called when a node has joined, changed or left. */
  changed(change: NodeChange): void
}

/** The state that the nodes of one process share. For `createMemoryFabric`; no other code should use it. */
export class MemoryBus {
  readonly timer: ExpiryTimer
  readonly services: Services = new Services()
  readonly members: Map<string, Member> = new Map()
  readonly calls: MemoryCalls
  readonly seal: MemorySeal = new MemorySeal()
  readonly #records = new Map<string, MemoryRecords>()
  readonly #entries = new Map<string, MemoryEntries>()
  readonly #items = new Map<string, MemoryItems>()

  /** Called with an exception of a node in a notification or a timer. */
  readonly reportError: ErrorReporter

  constructor(now: () => number, reportError: ErrorReporter) {
    this.reportError = reportError
    this.timer = new ExpiryTimer(now, reportError)
    this.calls = new MemoryCalls(this.services, now)
  }

  /** The store of that name. */
  records(name: string): MemoryRecords {
    return keptOr(this.#records, name, () => new MemoryRecords(this.timer))
  }

  /** The log of that name. */
  entries(name: string): MemoryEntries {
    return keptOr(this.#entries, name, () => new MemoryEntries(this.timer))
  }

  /** The queue of that name. */
  items(name: string): MemoryItems {
    return keptOr(this.#items, name, () => new MemoryItems(this.timer))
  }

  /** Notifies all members. */
  notify(change: NodeChange): void {
    for (const member of this.members.values()) member.changed(change)
  }

  /** Adds a node, and notifies the others. */
  join(member: Member): void {
    this.notify({ kind: 'joined', node: member.node, about: member.about })
    this.members.set(member.node, member)
    this.timer.look()
  }

  /** Removes a node: the others are notified; its calls end in both directions; its loans can be taken by others. */
  leave(node: string): void {
    this.members.delete(node)
    this.services.leave(node)
    this.calls.leave(node)
    for (const items of this.#items.values()) items.leave(node)
    this.notify({ kind: 'left', node })
    if (this.members.size === 0) this.timer.stop()
  }
}

/**
 * Creates a bus for nodes of one process. Stored values live as long as the bus, independent of its nodes; without a
 * node no timer runs.
 *
 * @param now returns epoch milliseconds. Default: `steadyTime`. For tests that control the time
 * @param reportError called with exceptions that no caller would catch. Default: they are ignored
 */
export function createMemoryBus(now: () => number = steadyTime, reportError: ErrorReporter = () => {}): MemoryBus {
  return new MemoryBus(now, reportError)
}
