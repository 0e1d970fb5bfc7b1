import type { Emit, Fabric, Log } from '@junctor/contracts'
import type { Profile } from '@junctor/protocol'
import type { FrontAccess } from './front/create-front.ts'
import type { GatewayInfo } from './front/opening/initialize.ts'
import type { GatewayLimits } from './shared/limits.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'

/** The options of `createGateway`. */
export interface GatewayOptions extends FrontAccess {
  readonly fabric: Fabric
  /** The tenants. A single tenant is usually named `default`, which is the tenant of the plain path. */
  readonly tenants: readonly TenantEntry[]
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
