import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { permitsMethod } from '../../shared/name-policy.ts'
import type { Collision } from './report-collisions.ts'

/** The methods outside MCP that a tenant's clients may call. */
export interface PlainMethods {
  /** The backend of each method. */
  readonly owners: ReadonlyMap<string, BackendEntry>
  readonly collisions: readonly Collision[]
}

/** Collects the methods of the tenant's backends that its policy does not deny. Methods have no prefix. */
export function plainMethods({ backends, tools }: Pick<TenantEntry, 'backends' | 'tools'>): PlainMethods {
  const offers = new Map<string, BackendEntry[]>()
  for (const entry of backends) {
    for (const name of entry.backend.methods ?? []) {
      if (entry.builtIn !== true && !permitsMethod(tools, entry.backend.name, name)) continue
      keptOr(offers, name, () => []).push(entry)
    }
  }
  const owners = new Map<string, BackendEntry>()
  const collisions: Collision[] = []
  for (const [name, entries] of offers) {
    const [owner] = entries
    if (owner !== undefined && entries.length === 1) owners.set(name, owner)
    else collisions.push({ kind: 'methods', name, backends: entries.map(({ backend }) => backend.name) })
  }
  return { owners, collisions }
}
