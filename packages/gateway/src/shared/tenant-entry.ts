import type { Interceptor } from '@junctor/exchange'
import type { Tenant } from '@junctor/contracts'
import type { BackendEntry } from './backend-entry.ts'

/** Which tools of a tenant's backends it may see and call. Patterns are `backend:tool`, `*` matches any run. */
export interface ToolPolicy {
  /** Absent: every tool. */
  readonly allow: readonly string[] | undefined
  /** Wins over `allow`, and holds for methods outside MCP too. */
  readonly deny: readonly string[]
}

/** A tenant as this gateway serves it. */
export interface TenantEntry {
  readonly tenant: Tenant
  /** Between prefix and name in public names. */
  readonly separator: string
  /** The most characters of a public name that has a prefix. Default 64. */
  readonly maxNameLength?: number
  /** Whether questions to people say which backend asks. Default true. */
  readonly namesAskers?: boolean
  readonly backends: readonly BackendEntry[]
  readonly tools: ToolPolicy
  /** Around every request of the tenant, outermost first. */
  readonly interceptors: readonly Interceptor[]
}
