import type { ListKind, Scope, ServerInfo } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BackendHealth } from '../links/backend-health.ts'
import type { LinkPool } from '../links/link-pool.ts'
import { scopeFor } from '../links/scope.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { BackendCatalogue } from './backend-catalogue.ts'
import { findingTexts } from './finding-texts.ts'
import type { KnownServer } from './server-union.ts'
import { permitsTool } from './tool-policy.ts'

/** How a backend does, and what it offers to a client that declares nothing. */
export interface BackendStatus {
  readonly name: string
  readonly state: BackendHealth['state']
  /** Why it cannot be reached, or, of one that is up, why it does not list what it offers. */
  readonly error: Error | undefined
  /** What it said of itself; `undefined` as long as it has listed nothing. */
  readonly server: ServerInfo | undefined
  /** Under the names that the backend gives them. */
  readonly tools: readonly string[]
  readonly prompts: readonly string[]
  /** Their URIs. */
  readonly resources: readonly string[]
  /** Methods outside MCP. */
  readonly methods: readonly string[]
  /** What it lists that clients are not shown, or not as it came: a line each, with text of the backend in it. */
  readonly warnings: readonly string[]
}

/** How a backend does for one tenant. */
export interface TenantBackend {
  readonly name: string
  readonly state: BackendHealth['state']
  /** The namespace in front of the separator. */
  readonly prefix: string
  /** Tools that the tenant may see; 0 while the backend does not answer. */
  readonly tools: number
}

/** What is known of backends before any client asks. */
export interface BackendStatuses {
  /**
   * What a tenant's servers say of themselves, after waiting a while for those that were not asked yet, where its profile
   * has clients told of it.
   */
  servers(tenant: TenantEntry): Promise<readonly KnownServer[]>
  /** Asks those that have not been asked, then tells of all. */
  all(): Promise<readonly BackendStatus[]>
  /** A tenant's backends, after waiting a while for those that it has not asked yet. */
  of(tenant: TenantEntry): Promise<readonly TenantBackend[]>
  /** How many tools a backend lists to a client that declares nothing, as far as it has been asked. */
  tools(entry: BackendEntry): number
  /** Tries again what is down, when its pause is over. */
  retry(): void
  /** Each backend once, with the scope of a client that declares nothing. */
  scopes(): ReadonlyMap<BackendEntry, Scope>
}

export function createBackendStatus(
  tenants: ReadonlyMap<string, TenantEntry>,
  pool: LinkPool,
  catalogue: BackendCatalogue,
  waitMs: number,
): BackendStatuses {
  const scopes = (): ReadonlyMap<BackendEntry, Scope> => {
    const found = new Map<BackendEntry, Scope>()
    for (const { tenant, backends } of tenants.values()) {
      for (const entry of backends) {
        if (entry.builtIn !== true && !found.has(entry)) found.set(entry, anybody(entry, tenant.name))
      }
    }
    return found
  }

  const namesOf = (entry: BackendEntry, scope: Scope, kind: ListKind, member = 'name'): readonly string[] => {
    const items = catalogue.latest(entry, scope)?.lists[kind] ?? []
    return items.map((item) => (item.value() as JsonObject)[member]).filter((name) => typeof name === 'string')
  }

  const statusOf = (entry: BackendEntry, scope: Scope): BackendStatus => {
    const { state, error } = pool.health(entry)
    return {
      name: entry.backend.name,
      state,
      error: error ?? catalogue.failure(entry, scope),
      server: catalogue.server(entry),
      tools: namesOf(entry, scope, 'tools'),
      prompts: namesOf(entry, scope, 'prompts'),
      resources: namesOf(entry, scope, 'resources', 'uri'),
      methods: entry.backend.methods ?? [],
      warnings: findingTexts(catalogue.latest(entry, scope)?.findings ?? []),
    }
  }

  return {
    scopes,
    async servers(served) {
      const { tenant, backends } = served
      const unknown = backends.filter((entry) => catalogue.server(entry) === undefined)
      // Who waits for nothing has them start all the same.
      const patienceMs = tenant.profile.describesBackends ? waitMs : 0
      await Promise.all(unknown.map((entry) => catalogue.load(entry, anybody(entry, tenant.name), patienceMs)))
      return backends.map((entry) => ({
        name: entry.backend.name,
        prefix: prefixIn(served, entry),
        builtIn: entry.builtIn === true,
        server: catalogue.server(entry),
      }))
    },
    async all() {
      const known = [...scopes()]
      await Promise.all(known.map(([entry, scope]) => catalogue.load(entry, scope, Infinity)))
      return known.map(([entry, scope]) => statusOf(entry, scope))
    },
    of(served) {
      const { tenant, backends, tools } = served
      const shown = backends.filter((entry) => entry.builtIn !== true)
      return Promise.all(
        shown.map(async (entry) => {
          const { name } = entry.backend
          const scope = anybody(entry, tenant.name)
          await catalogue.load(entry, scope, waitMs)
          const seen = namesOf(entry, scope, 'tools').filter((tool) => permitsTool(tools, name, tool))
          return { name, state: pool.health(entry).state, prefix: prefixIn(served, entry), tools: seen.length }
        }),
      )
    },
    tools(entry) {
      const scope = scopes().get(entry)
      return (scope && catalogue.latest(entry, scope)?.lists.tools?.length) ?? 0
    },
    retry() {
      for (const [entry, scope] of scopes()) {
        const { state } = pool.health(entry)
        if (state === 'down' || state === 'crash_looping') void catalogue.load(entry, scope, Infinity)
      }
    },
  }
}

/** The scope of a client without a session that declares nothing. */
function anybody(entry: BackendEntry, tenant: string): Scope {
  return scopeFor(entry, { tenant, principal: undefined, session: undefined, capabilities: {} })
}
