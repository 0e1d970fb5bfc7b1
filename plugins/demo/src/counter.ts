import type { Scope } from '@junctor/plugin-sdk'

/** The resource whose content is the count. */
export const counterUri = 'demo://counter'

/** Has one count for each tenant, and notifies listeners. */
export interface Counter {
  read(tenant: string): number
  /** Adds one, calls the tenant's listeners, and returns the new count. */
  tick(tenant: string): number
  /** Listens to one tenant, or to all tenants when they share the link. The returned function stops it. */
  onTick(scope: Scope, listener: () => void): () => void
}

/** Creates a counter at zero. */
export function createCounter(): Counter {
  const counts = new Map<string, number>()
  const listeners = new Set<{ readonly tenant: string; readonly notify: () => void }>()
  const read = (tenant: string): number => counts.get(tenant) ?? 0
  return {
    read,
    tick(tenant) {
      const count = read(tenant) + 1
      counts.set(tenant, count)
      for (const listener of listeners) {
        if (listener.tenant === tenant || listener.tenant === '') listener.notify()
      }
      return count
    },
    onTick({ tenant }, notify) {
      const listener = { tenant, notify }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
