import type { Config } from '@junctor/config'
import type { ToolScopes } from '@junctor/gateway'
import { wellKnownResource } from '@junctor/protocol'
import { endpointUrl } from './endpoint-url.ts'

/** The scopes that tools need at the endpoint of a tenant. `undefined`: no tool needs any. */
export function toolScopesAt(config: Pick<Config, 'publicUrl' | 'auth'>, tenant: string): ToolScopes | undefined {
  const issuer = config.auth.issuer ?? config.auth.server
  if (issuer === undefined || Object.keys(issuer.toolScopes).length === 0) return undefined
  const needed = Object.entries(issuer.toolScopes).map(([pattern, scopes]) => ({ pattern, scopes }))
  return { needed, always: issuer.scopes, metadataUrl: metadataUrlAt(endpointUrl(config), tenant) }
}

function metadataUrlAt(base: string | undefined, tenant: string): string | undefined {
  if (base === undefined) return undefined
  const { origin, pathname } = new URL(base)
  const own = tenant === 'default' ? '' : `/${encodeURIComponent(tenant)}`
  return `${origin}${wellKnownResource}${pathname}${own}`
}
