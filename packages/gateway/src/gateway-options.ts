import type { Challenge, Fabric, Head, Identity, Log, Tell } from '@junctor/contracts'
import type { Profile } from '@junctor/protocol'
import type { GatewayInfo } from './front/initialize.ts'
import type { GatewayLimits } from './shared/limits.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'

/** What a gateway is made from. */
export interface GatewayOptions {
  readonly fabric: Fabric
  /** By name. With one tenant alone it is usually `default`, the one of the plain path. */
  readonly tenants: readonly TenantEntry[]
  readonly authenticate: (head: Head) => Identity | Challenge | Promise<Identity | Challenge>
  /** What refusals look like where no tenant is known. Default: `mcp`. */
  readonly profile?: () => Profile
  /** `serverInfo` towards clients. */
  readonly info: GatewayInfo
  readonly limits?: Partial<GatewayLimits>
  /** Under which clients reach the gateway over HTTP, without a slash at its end. Default: they are given paths. */
  readonly publicUrl?: string
  readonly log: Log
  /** For metrics, the event log and the audit stream. */
  readonly tell: Tell
}
