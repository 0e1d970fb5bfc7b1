import type { Interceptor } from '@junctor/exchange'
import type { Tenant } from '@junctor/contracts'
import type { BackendEntry } from './backend-entry.ts'
import type { ToolScopes } from './tool-scopes.ts'
import type { TenantRates } from './tenant-rates.ts'

/**
 * Which tools, prompts or resources of its backends a tenant may see and use. Patterns are `backend:name`, with the
 * backend's own name or URI; `*` matches any characters.
 */
export interface NamePolicy {
  /** Absent: everything is allowed. */
  readonly allow: readonly string[] | undefined
  /** Takes precedence over `allow`. That of tools also applies to methods outside MCP. */
  readonly deny: readonly string[]
}

/** A tenant as this gateway serves it. */
export interface TenantEntry {
  readonly tenant: Tenant
  /** Stands between the prefix and the name in public names. */
  readonly separator: string
  /** The most characters of a public name that has a prefix. Default: 64. */
  readonly maxNameLength?: number
  /** Whether questions to people name the backend that asks. Default: true. */
  readonly namesAskers?: boolean
  /**
   * Whether views (MCP Apps) of backends with a prefix may call tools by the backends' own names. `listed`: yes, and
   * clients that show views find the tools under these names too, for the views alone. Default: `listed`.
   */
  readonly bareNames?: 'listed' | 'accepted' | 'refused'
  /**
   * Identifiers of extensions that the gateway does not know, and still declares between clients and backends. They may
   * only use settings and `_meta`, because their own messages do not name a backend. Default: none.
   */
  readonly relayExtensions?: readonly string[]
  readonly backends: readonly BackendEntry[]
  /**
   * It is the endpoint of one backend: names and URIs are the backend's own, and extensions that the gateway does not
   * know pass. Default: it is a tenant.
   */
  readonly single?: true
  /** The public URL of the endpoint of one backend. Default: it is not known, or it is a tenant. */
  readonly url?: string
  /** Default: every tool. */
  readonly tools?: NamePolicy
  /** Default: every prompt. */
  readonly prompts?: NamePolicy
  /** Of resources, templates and skills, by their URIs. Default: every resource. */
  readonly resources?: NamePolicy
  /** How many calls its clients may make. Absent: any number. */
  readonly rates?: TenantRates | undefined
  /** The scopes that tokens must have for single tools. Absent: none. */
  readonly toolScopes?: ToolScopes | undefined
  /** Wrapped around every request of the tenant, outermost first. Default: none. */
  readonly interceptors?: readonly Interceptor[]
}
