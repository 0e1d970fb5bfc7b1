import type { Config, TenantConfig } from '@junctor/config'
import { type BackendStatus, permitsMethod, permitsName, permitsUri } from '@junctor/gateway'
import { prefixOf, publicName, uriFor } from '@junctor/protocol'
import { profileNamed } from '../tenants/profile-named.ts'

/** A name that several backends of a tenant would offer to its clients. None of them offers it then. */
export interface NameCollision {
  readonly tenant: string
  readonly kind: 'tool' | 'prompt' | 'resource' | 'method'
  /** The public name. */
  readonly name: string
  /** In the order of the configuration. A backend that lists one name twice occurs twice. */
  readonly backends: readonly string[]
}

type Offers = Pick<BackendStatus, 'tools' | 'prompts' | 'resources' | 'methods'>

/** Returns the names that several backends of a tenant would offer, for each tenant separately. */
export function nameCollisions(config: Config, offers: ReadonlyMap<string, Offers>): readonly NameCollision[] {
  return config.tenants.flatMap((tenant) => {
    const owners = new Map<
      string,
      { readonly collision: Omit<NameCollision, 'backends'>; readonly backends: string[] }
    >()
    for (const { kind, name, backend } of namesOf(config, tenant, offers)) {
      const key = `${kind} ${name}`
      const known = owners.get(key)
      if (known === undefined) owners.set(key, { collision: { tenant: tenant.name, kind, name }, backends: [backend] })
      else known.backends.push(backend)
    }
    const shared = [...owners.values()].filter(({ backends }) => backends.length > 1)
    return shared.map(({ collision, backends }) => ({ ...collision, backends }))
  })
}

interface OwnedName {
  readonly kind: NameCollision['kind']
  readonly name: string
  readonly backend: string
}

function namesOf(
  { backends }: Config,
  tenant: TenantConfig,
  offers: ReadonlyMap<string, Offers>,
): readonly OwnedName[] {
  const profile = profileNamed(tenant.profile)
  const separator = tenant.separator ?? profile.separator
  const having = new Set(tenant.backends)
  return backends.flatMap(({ name: backend, prefix: configured }) => {
    const offered = having.has(backend) ? offers.get(backend) : undefined
    if (offered === undefined) return []
    const prefix = prefixOf(configured, backend, profile)
    const tools = offered.tools.filter((tool) => permitsName(tenant.tools, backend, tool))
    const prompts = offered.prompts.filter((prompt) => permitsName(tenant.prompts, backend, prompt))
    const resources = offered.resources.filter((uri) => permitsUri(tenant.resources, backend, uri))
    return [
      ...tools.map((tool) => ({
        kind: 'tool' as const,
        name: publicName(prefix, separator, tool, tenant.maxLength),
        backend,
      })),
      ...prompts.map((prompt) => ({
        kind: 'prompt' as const,
        name: publicName(prefix, separator, prompt, tenant.maxLength),
        backend,
      })),
      ...resources.map((uri) => ({ kind: 'resource' as const, name: uriFor(prefix, uri), backend })),
      // Callers use these names without a prefix.
      ...offered.methods
        .filter((method) => permitsMethod(tenant.tools, backend, method))
        .map((name) => ({ kind: 'method' as const, name, backend })),
    ]
  })
}
