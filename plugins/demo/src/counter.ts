import type { Scope } from '@junctor/plugin-sdk'

export const counterUri = 'demo://counter'

/** Counts for each tenant apart, and tells who wants to know. */
export interface Counter {
  read(tenant: string): number
  /** Adds one, tells the tenant's listeners, and returns the new count. */
  tick(tenant: string): number
  /** Listens to one tenant, or to all where one link is shared by all. The returned function ends it. */
  onTick(scope: Scope, listener: () => void): () => void
}

export function createCounter(): Counter {
  const counts = new Map<string, number>()
  const listeners = new Set<{ readonly tenant: string; readonly told: () => void }>()
  const read = (tenant: string): number => counts.get(tenant) ?? 0
  return {
    read,
    tick(tenant) {
      const count = read(tenant) + 1
      counts.set(tenant, count)
      for (const listener of listeners) {
        if (listener.tenant === tenant || listener.tenant === '') listener.told()
      }
      return count
    },
    onTick({ tenant }, told) {
      const listener = { tenant, told }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
