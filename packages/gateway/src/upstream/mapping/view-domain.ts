import { hash } from 'node:crypto'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'

/** Origins of views that a host makes from the URL of the server: those of a backend never fit the gateway's endpoint. */
const ofServerUrl = '.claudemcpcontent.com'

/** The settings for the origins of views (MCP Apps, `_meta.ui.domain`). */
export interface ViewDomains {
  /** The setting of the backend. */
  readonly choice: BackendEntry['appDomain']
  /** The public URL of the endpoint. `undefined`: it is not known, or several backends share the endpoint. */
  readonly url: string | undefined
}

/** The settings for the origins of a backend's views, at a tenant or at the backend's own endpoint. */
export function viewDomainsOf({ url }: Pick<TenantEntry, 'url'>, { appDomain }: BackendEntry): ViewDomains {
  return { choice: appDomain, url }
}

/**
 * The origin of a view for clients. `undefined`: none. Without an origin the host shows the view; with an origin that
 * does not fit, it shows nothing.
 */
export function viewDomain(domain: string, { choice, url }: ViewDomains): string | undefined {
  if (choice === 'keep') return domain
  if (choice === 'drop') return undefined
  if (!domain.endsWith(ofServerUrl)) return domain
  // The host takes the first 32 digits of the hash of the URL that its user has entered.
  return choice === 'recompute' && url !== undefined
    ? `${hash('sha256', url, 'hex').slice(0, 32)}${ofServerUrl}`
    : undefined
}
