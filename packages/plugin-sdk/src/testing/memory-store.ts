import type { Store, Stored } from '@junctor/contracts'

interface Entry<T> extends Stored<T> {
  readonly expires: number
}

/** A store in memory: a plugin's `context.store` in a test. */
export function createMemoryStore<T>(ttlMs: number): Store<T> {
  const entries = new Map<string, Entry<T>>()
  let revisions = 0

  function current(key: string): Entry<T> | undefined {
    const entry = entries.get(key)
    if (entry !== undefined && entry.expires <= Date.now()) entries.delete(key)
    return entries.get(key)
  }

  return {
    get: async (key) => current(key),
    async put(key, value, revision) {
      if (revision !== undefined && revision !== (current(key)?.revision ?? 0)) return 'conflict'
      revisions += 1
      entries.set(key, { value: structuredClone(value), revision: revisions, expires: Date.now() + ttlMs })
      return revisions
    },
    async delete(key) {
      entries.delete(key)
    },
    keys: async (prefix) => [...entries.keys()].filter((key) => key.startsWith(prefix) && current(key) !== undefined),
  }
}
