import type { Challenge, Fabric, Front, Head, Identity, Log, Emit } from '@junctor/contracts'
import type { Profile } from '@junctor/protocol'
import type { GatewayInfo } from './front/initialize.ts'
import type { GatewayLimits } from './shared/limits.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'

/** The options of `createGateway`. */
export interface GatewayOptions {
  readonly fabric: Fabric
  /** The tenants. A single tenant is usually named `default`, which is the tenant of the plain path. */
  readonly tenants: readonly TenantEntry[]
  /** Judges who sends a request, by its head alone. */
  readonly authenticate: (head: Head) => Identity | Challenge | Promise<Identity | Challenge>
  /** Default: credentials are good until they expire. */
  readonly watch?: Front['watch']
  /** The metadata of an endpoint as a protected resource, by its tenant. Default: there are none. */
  readonly metadata?: Front['metadata']
  /** The profile of refusals when no tenant is known. Default: `mcp`. */
  readonly profile?: () => Profile
  /** The `serverInfo` that clients get. */
  readonly info: GatewayInfo
  readonly limits?: Partial<GatewayLimits>
  /** The public HTTP URL of the gateway, without a slash at its end. Default: clients get paths without a host. */
  readonly publicUrl?: string
  readonly log: Log
  /** Receives the events for metrics, the event log and the audit stream. */
  readonly emit: Emit
}
