import type { Config, TenantConfig } from '@junctor/config'
import { type BackendStatus, permitsMethod, permitsName, permitsUri } from '@junctor/gateway'
import { keptOr } from '@junctor/primitives'
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
    const owners = new Map<string, NameCollision & { readonly backends: string[] }>()
    for (const { kind, name, backend } of namesOf(config, tenant, offers)) {
      const owned = keptOr(owners, `${kind} ${name}`, () => ({ tenant: tenant.name, kind, name, backends: [] }))
      owned.backends.push(backend)
    }
    return [...owners.values()].filter(({ backends }) => backends.length > 1)
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
    const named = (kind: 'tool' | 'prompt', own: string): OwnedName => ({
      kind,
      name: publicName(prefix, separator, own, tenant.maxLength),
      backend,
    })
    return [
      ...offered.tools.filter((tool) => permitsName(tenant.tools, backend, tool)).map((tool) => named('tool', tool)),
      ...offered.prompts
        .filter((prompt) => permitsName(tenant.prompts, backend, prompt))
        .map((prompt) => named('prompt', prompt)),
      ...offered.resources
        .filter((uri) => permitsUri(tenant.resources, backend, uri))
        .map((uri) => ({ kind: 'resource' as const, name: uriFor(prefix, uri), backend })),
      // Callers use these names without a prefix.
      ...offered.methods
        .filter((method) => permitsMethod(tenant.tools, backend, method))
        .map((name) => ({ kind: 'method' as const, name, backend })),
    ]
  })
}
