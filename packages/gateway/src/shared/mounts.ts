import { defaultTenant, mountName } from '@junctor/protocol'
import type { TenantEntry } from './tenant-entry.ts'
import type { ToolScopes } from './tool-scopes.ts'

/**
 * The tenants, and after them an endpoint of its own for each backend of each: with this backend alone, under its own
 * names.
 *
 * @param publicUrl the public URL of the gateway, without a slash at its end
 */
export function withMounts(tenants: readonly TenantEntry[], publicUrl: string | undefined): readonly TenantEntry[] {
  return [...tenants, ...tenants.flatMap((entry) => mountsOf(entry, publicUrl))]
}

function mountsOf(entry: TenantEntry, publicUrl: string | undefined): readonly TenantEntry[] {
  const { name, profile } = entry.tenant
  const backends = entry.backends.filter(({ builtIn }) => builtIn !== true)
  return backends.map((backend) => ({
    ...entry,
    tenant: { name: mountName(name, backend.backend.name), profile },
    backends: [backend],
    single: true as const,
    ...(entry.toolScopes !== undefined && { toolScopes: toolScopesAt(entry.toolScopes, backend.backend.name) }),
    ...(publicUrl !== undefined && { url: urlOf(publicUrl, name, backend.backend.name) }),
  }))
}

function toolScopesAt(scopes: ToolScopes, backend: string): ToolScopes {
  const { metadataUrl } = scopes
  return metadataUrl === undefined ? scopes : { ...scopes, metadataUrl: `${metadataUrl}${mountName('', backend)}` }
}

/** The endpoint's URL as clients enter it. That of the default tenant has a longer form too. */
function urlOf(publicUrl: string, tenant: string, backend: string): string {
  return `${publicUrl}/mcp${mountName(tenant === defaultTenant ? '' : `/${tenant}`, backend)}`
}
