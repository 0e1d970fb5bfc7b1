import type { Config } from '@junctor/config'
import { profiles, publicName } from '@junctor/protocol'

/** A name that more than one backend of a tenant would have: all of them are refused. */
export interface Collision {
  readonly tenant: string
  readonly name: string
  readonly backends: readonly string[]
}

/** @param tools by backend, under its own names */
export function collisionsOf(config: Config, tools: ReadonlyMap<string, readonly string[]>): readonly Collision[] {
  return config.tenants.flatMap((tenant) => {
    const separator = tenant.separator ?? profiles[tenant.profile]?.separator ?? ''
    const owners = new Map<string, string[]>()
    for (const backend of config.backends.filter(({ name }) => tenant.backends.includes(name))) {
      for (const tool of tools.get(backend.name) ?? []) {
        const name = publicName(backend.prefix, separator, tool)
        owners.set(name, [...(owners.get(name) ?? []), backend.name])
      }
    }
    const shared = [...owners].filter(([, backends]) => backends.length > 1)
    return shared.map(([name, backends]) => ({ tenant: tenant.name, name, backends }))
  })
}
