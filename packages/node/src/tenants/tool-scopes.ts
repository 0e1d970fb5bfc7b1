import type { Config } from '@junctor/config'
import type { ToolScopes } from '@junctor/gateway'
import { defaultTenant, resourceMetadataUrl } from '@junctor/protocol'
import { endpointUrl } from './endpoint-url.ts'

/** The scopes that tools need at the endpoint of a tenant. `undefined`: no tool needs any. */
export function toolScopesAt(config: Pick<Config, 'publicUrl' | 'auth'>, tenant: string): ToolScopes | undefined {
  const issuer = config.auth.issuer ?? config.auth.server
  if (issuer === undefined || Object.keys(issuer.toolScopes).length === 0) return undefined
  const needed = Object.entries(issuer.toolScopes).map(([pattern, scopes]) => ({ pattern, scopes }))
  const base = endpointUrl(config)
  const path = tenant === defaultTenant ? '' : `/${encodeURIComponent(tenant)}`
  return { needed, always: issuer.scopes, metadataUrl: base && resourceMetadataUrl(base, path) }
}
