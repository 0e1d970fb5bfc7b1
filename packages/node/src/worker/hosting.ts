import { setTimeout as delay } from 'node:timers/promises'
import type { Closer } from '@junctor/contracts'
import {
  type BackendEntry,
  type GatewayGauges,
  hostBackend,
  type HostBackendParts,
  type HostedBackend,
  type NodeAbout,
} from '@junctor/gateway'

/** The backends that a worker holds for gateways, which change with its configuration. */
export interface Hosting {
  readonly about: NodeAbout['backends']
  readonly gauges: GatewayGauges['backends']
  /**
   * Holds these backends from now on. Resolves when gateways can find them, with a function that waits until all
   * replaced backends have ended. Rejects when one cannot be held; then the previous backends are kept. After `drain` it
   * holds none.
   */
  update(entries: readonly BackendEntry[]): Promise<() => Promise<void>>
  /** Releases all backends: waits for calls in progress, at most for the grace period, then closes them. */
  drain(): Promise<void>
}

/** How a backend is held for other nodes, and made known to service discovery. */
export interface HostingParts extends HostBackendParts {
  /** How long calls in progress may continue, in milliseconds. */
  readonly graceMs: number
  /** Makes a backend visible to service discovery, until the result is closed. */
  readonly show: (backend: HostedBackend) => Closer | undefined
}

/** Creates the hosting of a worker, which holds no backend yet. */
export function createHosting(parts: HostingParts): Hosting {
  let hosted: ReadonlyMap<BackendEntry, HostedBackend> = new Map()
  let isDrained = false

  const shown = new Map<HostedBackend, Closer | undefined>()

  const host = async (entry: BackendEntry): Promise<HostedBackend> => {
    const backend = await hostBackend(entry, parts)
    shown.set(backend, parts.show(backend))
    return backend
  }

  const end = async (backend: HostedBackend): Promise<void> => {
    await shown.get(backend)?.close()
    shown.delete(backend)
    const waiting = new AbortController()
    const graceOver = delay(parts.graceMs, undefined, { signal: waiting.signal }).catch(() => undefined)
    await Promise.race([backend.drain(), graceOver])
    waiting.abort()
    await backend.close()
  }

  const swap = (next: ReadonlyMap<BackendEntry, HostedBackend>): Promise<void> => {
    const gone = [...hosted].filter(([entry]) => !next.has(entry)).map(([, backend]) => backend)
    hosted = next
    parts.changed()
    return Promise.all(gone.map(end)).then(() => undefined)
  }

  return {
    get about() {
      return Object.fromEntries([...hosted.values()].map(({ name, about }) => [name, about]))
    },
    get gauges() {
      return [...hosted.values()].map(({ health }) => health)
    },
    async update(entries) {
      if (isDrained) return () => Promise.resolve()
      const before = hosted
      const held = entries.map(async (entry) => [entry, before.get(entry) ?? (await host(entry))] as const)
      const results = await Promise.allSettled(held)
      const next = new Map(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
      const failure = results.find((result) => result.status === 'rejected')
      if (failure === undefined && !isDrained) {
        const closed = swap(next)
        return () => closed
      }
      await Promise.all([...next].filter(([entry]) => !before.has(entry)).map(([, backend]) => end(backend)))
      if (failure !== undefined) throw failure.reason
      // The worker has begun to leave meanwhile.
      return () => Promise.resolve()
    },
    drain() {
      isDrained = true
      return swap(new Map())
    },
  }
}
