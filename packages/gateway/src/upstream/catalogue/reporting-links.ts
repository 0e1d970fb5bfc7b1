import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** Counts the open links that report changes of each answer of the catalogue. */
export class ReportingLinks {
  readonly #counts = new WeakMap<BackendEntry, Map<string, number>>()

  /** A link of the backend has opened, which reports changes of the answers with these keys. */
  add(entry: BackendEntry, keys: ReadonlySet<string>): void {
    const counts = keptOr(this.#counts, entry, () => new Map())
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  /** That link has closed. Returns the keys of the answers of which no link reports changes any more. */
  remove(entry: BackendEntry, keys: ReadonlySet<string>): readonly string[] {
    const counts = this.#counts.get(entry)
    return [...keys].filter((key) => {
      const left = (counts?.get(key) ?? 1) - 1
      if (left === 0) return counts?.delete(key) ?? true
      counts?.set(key, left)
      return false
    })
  }
}
