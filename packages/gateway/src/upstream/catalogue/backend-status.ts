import type { ListKind, Scope, ServerInfo } from '@junctor/contracts'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { Era } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BackendHealth } from '../links/backend-health.ts'
import type { NamedBackendHealth } from '../links/named-backend-health.ts'
import type { LinkPool } from '../links/link-pool.ts'
import { scopeFor } from '../links/scope.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import { passedExtensions } from '../../shared/passed-extensions.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { BackendCatalogue } from './backend-catalogue.ts'
import type { CatalogueLoader } from './catalogue-loader.ts'
import { findingTexts } from './finding-texts.ts'
import { unapprovedTexts } from './judge-pins.ts'
import type { KnownServer } from './known-server.ts'
import { permitsName } from '../../shared/name-policy.ts'
import { listKinds } from './snapshot.ts'

/** The state of a backend, and what it offers to a client without capabilities. */
export interface BackendStatus {
  readonly name: string
  readonly state: BackendHealth['state']
  /** Why it cannot be reached; or, if it is up, why it lists nothing. */
  readonly error: Error | undefined
  /** The information that it reports about itself; `undefined`: it has not listed anything yet. */
  readonly server: ServerInfo | undefined
  /** Its tools, under the backend's own names. */
  readonly tools: readonly string[]
  /** The definitions of these tools, as the backend gave them. */
  readonly definitions: readonly JsonObject[]
  readonly prompts: readonly string[]
  /** The URIs of its resources. */
  readonly resources: readonly string[]
  /** The URI templates of its resources. */
  readonly templates: readonly string[]
  /** Methods outside MCP. */
  readonly methods: readonly string[]
  /**
   * Lists that it did not give although it gave others, items of its lists that clients do not see, or not as the backend
   * sent them, and parts of it that do not work. One line each, with text of the backend.
   */
  readonly warnings: readonly string[]
}

/** The most warnings of a backend that a status shows. */
const shownWarnings = 20

/** The state of a backend for one tenant. */
export interface TenantBackend {
  readonly name: string
  readonly state: BackendHealth['state']
  /** The namespace in front of the separator. */
  readonly prefix: string
  /** How many of its tools the tenant may see; 0 while the backend does not answer. */
  readonly tools: number
}

/** Where the state of a backend is read: its links, its lists, and the calls that wait for it. */
export interface BackendStatusParts {
  /** The tenants that are served now. */
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly pool: Pick<LinkPool, 'health'>
  /** The calls that wait for their turn at a backend. */
  readonly gate: { waiting(entry: BackendEntry): number }
  readonly catalogue: BackendCatalogue
  readonly loader: CatalogueLoader
  /** How long to wait for backends that were not asked yet, in milliseconds. */
  readonly waitMs: number
}

/** What is known about backends, also before any client uses them. */
export class BackendStatuses {
  readonly #parts: BackendStatusParts

  constructor(parts: BackendStatusParts) {
    this.#parts = parts
  }

  /** Each backend once, with the scope of a client without capabilities. */
  scopes(): ReadonlyMap<BackendEntry, Scope> {
    const found = new Map<BackendEntry, Scope>()
    for (const { tenant, backends } of this.#parts.tenants.values()) {
      for (const entry of backends) {
        if (entry.builtIn !== true && !found.has(entry)) found.set(entry, anonymousScope(entry, tenant.name))
      }
    }
    return found
  }

  /**
   * The server information of a tenant's backends for a client of this era. If the tenant's profile shows it to clients,
   * waits a while for backends that were not asked yet. A server of both eras that was asked only in the other one is shown
   * as in that.
   */
  async servers(served: TenantEntry, era: Era): Promise<readonly KnownServer[]> {
    const { catalogue, loader, waitMs } = this.#parts
    const { tenant, backends } = served
    const unknown = backends.filter((entry) => catalogue.server(entry) === undefined)
    // For other tenants, the backends are started without waiting.
    const timeoutMs = tenant.profile.describesBackends ? waitMs : 0
    await Promise.all(unknown.map((entry) => loader.load(entry, anonymousScope(entry, tenant.name), timeoutMs)))
    return backends.map((entry) => ({
      name: entry.backend.name,
      prefix: prefixIn(served, entry),
      builtIn: entry.builtIn === true,
      passed: passedExtensions(served),
      server: catalogue.server(entry, era),
      hasViews: catalogue.hasViews(entry),
    }))
  }

  /**
   * The status of all backends. Asks those that were not asked yet, and waits for their answers.
   *
   * @param waitMs the longest wait for a backend, in milliseconds; a slower one is shown as far as it is known
   */
  async all(waitMs: number = Infinity): Promise<readonly BackendStatus[]> {
    const known = [...this.scopes()]
    await Promise.all(known.map(([entry, scope]) => this.#parts.loader.load(entry, scope, waitMs)))
    return known.map(([entry, scope]) => this.#statusOf(entry, scope))
  }

  /** The backends of a tenant. Waits a while for those that were not asked yet. */
  of(served: TenantEntry): Promise<readonly TenantBackend[]> {
    const { pool, loader, waitMs } = this.#parts
    const { tenant, backends, tools } = served
    const shown = backends.filter((entry) => entry.builtIn !== true)
    return Promise.all(
      shown.map(async (entry) => {
        const { name } = entry.backend
        const scope = anonymousScope(entry, tenant.name)
        await loader.load(entry, scope, waitMs)
        const seen = this.#namesOf(entry, scope, 'tools').filter((tool) => permitsName(tools, name, tool))
        return { name, state: pool.health(entry).state, prefix: prefixIn(served, entry), tools: seen.length }
      }),
    )
  }

  /** The state of each backend at this moment, in the order of the configuration. Sends no requests. */
  gauges(): readonly NamedBackendHealth[] {
    const { pool, gate, catalogue } = this.#parts
    return [...this.scopes()].map(([entry, scope]) => ({
      name: entry.backend.name,
      ...pool.health(entry),
      waiting: gate.waiting(entry),
      tools: catalogue.latest(entry, scope)?.lists.tools.length ?? 0,
    }))
  }

  /** Tries backends again that are down, if their pause is over. */
  retry(): void {
    const { pool, loader } = this.#parts
    for (const [entry, scope] of this.scopes()) {
      const { state } = pool.health(entry)
      if (state === 'down' || state === 'crash_looping') void loader.load(entry, scope, Infinity)
    }
  }

  #statusOf(entry: BackendEntry, scope: Scope): BackendStatus {
    const { pool, catalogue } = this.#parts
    const { state, error } = pool.health(entry)
    const snapshot = catalogue.latest(entry, scope)
    const offers = snapshot !== undefined && listKinds.some((kind) => snapshot.lists[kind].length > 0)
    return {
      name: entry.backend.name,
      state,
      error: error ?? (offers ? undefined : catalogue.failure(entry, scope)),
      server: catalogue.server(entry),
      tools: this.#namesOf(entry, scope, 'tools'),
      definitions: this.#valuesOf(entry, scope, 'tools'),
      prompts: this.#namesOf(entry, scope, 'prompts'),
      resources: this.#namesOf(entry, scope, 'resources', 'uri'),
      templates: this.#namesOf(entry, scope, 'resourceTemplates', 'uriTemplate'),
      methods: entry.backend.methods ?? [],
      warnings: [
        ...(offers ? Object.values(snapshot.failures).map(({ message }) => message) : []),
        ...(snapshot?.problems ?? []),
        ...findingTexts(snapshot?.findings ?? []),
        ...unapprovedTexts(snapshot?.unapproved ?? []),
        ...(entry.backend.warnings?.().slice(0, shownWarnings) ?? []),
      ],
    }
  }

  #namesOf(entry: BackendEntry, scope: Scope, kind: ListKind, member = 'name'): readonly string[] {
    const names = this.#valuesOf(entry, scope, kind).map((item) => item[member])
    return names.filter((name) => typeof name === 'string')
  }

  /** The items of a list: after `judgeList`, all are objects. */
  #valuesOf(entry: BackendEntry, scope: Scope, kind: ListKind): readonly JsonObject[] {
    const items = this.#parts.catalogue.latest(entry, scope)?.lists[kind] ?? []
    return items.map((item) => item.value()).filter(isJsonObject)
  }
}

/** The scope of a client without a session and without capabilities. */
function anonymousScope(entry: BackendEntry, tenant: string): Scope {
  return scopeFor(entry, { tenant, principal: undefined, session: undefined, capabilities: {}, revision: undefined })
}
