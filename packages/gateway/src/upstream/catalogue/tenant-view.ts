import { hash } from 'node:crypto'
import type { ListKind, ServerInfo } from '@junctor/contracts'
import { edit, memberOf, type Payload } from '@junctor/jsonrpc'
import { publicName, uriFor } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import { type ToolTraits, toolTraits } from '../../shared/tool-traits.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { type KeptUntil, listKinds, type Snapshot } from './snapshot.ts'
import { nameMembers } from './judge-list.ts'
import { mergeHints } from './merge-hints.ts'
import { withFittingDomain } from '../mapping/foreign-members.ts'
import { mapTool } from '../mapping/map-tool.ts'
import { type ViewDomains, viewDomainsOf } from '../mapping/view-domain.ts'
import type { Collision } from './report-collisions.ts'
import { permitsName, permitsUri, type Policies, policyOf } from '../../shared/name-policy.ts'

/** The destination of a public name or URI. */
export interface Route {
  readonly entry: BackendEntry
  /** The name or URI on the backend. */
  readonly name: string
  /**
   * The public name or URI. Calls keep this string, because one of their own would be one more object for each call.
   */
  readonly shown: string
  /** How a tool may be run. */
  readonly traits?: ToolTraits | undefined
}

/** What the clients of one tenant see, merged from the lists of its backends. Immutable. */
export interface TenantView {
  readonly routes: Readonly<Record<ListKind, ReadonlyMap<string, Route>>>
  /** List items as clients see them, before parts are removed for older revisions. */
  readonly lists: Readonly<Record<ListKind, readonly Payload[]>>
  readonly collisions: readonly Collision[]
  /** How long each list may be kept, and by whom: the least of its backends. Absent: it must not be kept. */
  readonly hints: Readonly<Partial<Record<ListKind, KeptUntil>>>
  /** What the backends say about themselves, in the order of the configuration. */
  readonly servers: ReadonlyMap<BackendEntry, ServerInfo>
  /** Whether any tool wants arguments in headers (2026-07-28, `x-mcp-header`). */
  readonly wantsHeaders: boolean
  /** One for each list. Equal for lists with equal names, on every node. Cursors contain it. */
  readonly digests: Readonly<Record<ListKind, string>>
}

/** What one backend contributes to a view. */
export interface ViewPart {
  readonly entry: BackendEntry
  readonly snapshot: Snapshot
}

/** The items of one backend's lists as the clients of a tenant see them, with their destinations. */
export type Offers = Readonly<Record<ListKind, readonly Offer[]>>

interface Offer {
  readonly route: Route
  readonly item: Payload
}

/** What a tenant's lists depend on, apart from its backends. */
type ListedTenant = Policies & Pick<TenantEntry, 'tenant' | 'separator' | 'maxNameLength' | 'single' | 'url'>

/**
 * Merges backends in the order of the tenant's configuration. Items without a name are left out.
 *
 * @param offersFrom returns the items of a part, which may have been made for another view
 */
export function mergeView(
  tenant: ListedTenant,
  parts: readonly ViewPart[],
  offersFrom: (part: ViewPart) => Offers = (part) => offersOf(tenant, part),
): TenantView {
  const routes: Record<ListKind, Map<string, Route>> = {
    tools: new Map(),
    resources: new Map(),
    resourceTemplates: new Map(),
    prompts: new Map(),
  }
  const lists: Record<ListKind, Payload[]> = { tools: [], resources: [], resourceTemplates: [], prompts: [] }
  const collisions: Collision[] = []

  const offered = parts.map(offersFrom)
  for (const kind of listKinds) {
    for (const [name, offers] of byName(offered.flatMap((offer) => offer[kind]))) {
      const [offer] = offers
      if (offer === undefined) continue
      if (offers.length > 1) {
        collisions.push({ kind, name, backends: offers.map(({ route }) => route.entry.backend.name) })
        continue
      }
      routes[kind].set(name, offer.route)
      lists[kind].push(offer.item)
    }
  }
  const servers = new Map(parts.map(({ entry, snapshot }) => [entry, snapshot.server]))
  const hints = mergeHints(tenant, parts)
  const wantsHeaders = [...routes.tools.values()].some(({ traits }) => traits?.parameterHeaders !== undefined)
  return { routes, lists, collisions, servers, hints, wantsHeaders, digests: digestsOf(routes) }
}

function digestsOf(routes: TenantView['routes']): TenantView['digests'] {
  const digestOf = (kind: ListKind): string =>
    hash('sha256', [kind, ...routes[kind].keys()].join('\n'), 'base64url').slice(0, 12)
  return {
    tools: digestOf('tools'),
    resources: digestOf('resources'),
    resourceTemplates: digestOf('resourceTemplates'),
    prompts: digestOf('prompts'),
  }
}

function byName(offers: readonly Offer[]): Map<string, Offer[]> {
  const named = new Map<string, Offer[]>()
  for (const offer of offers) {
    const { shown } = offer.route
    keptOr(named, shown, () => []).push(offer)
  }
  return named
}

/** What a backend offers to the clients of a tenant. */
export function offersOf(tenant: ListedTenant, part: ViewPart): Offers {
  return {
    tools: offersIn('tools', tenant, part),
    resources: offersIn('resources', tenant, part),
    resourceTemplates: offersIn('resourceTemplates', tenant, part),
    prompts: offersIn('prompts', tenant, part),
  }
}

function offersIn(kind: ListKind, tenant: ListedTenant, { entry, snapshot }: ViewPart): readonly Offer[] {
  const member = nameMembers[kind]
  const shape = tenant.tenant.profile.items[kind]
  const prefix = prefixIn(tenant, entry)
  const domains = viewDomainsOf(tenant, entry)
  const permits = member === 'name' ? permitsName : permitsUri
  return snapshot.lists[kind].flatMap((item) => {
    const name = textMember(item, member)
    if (name === undefined) return []
    if (entry.builtIn !== true && !permits(policyOf(tenant, kind), entry.backend.name, name)) return []
    const shown =
      member === 'name' ? publicName(prefix, tenant.separator, name, tenant.maxNameLength) : uriFor(prefix, name)
    const mapped = mapItem(kind, item, prefix, domains)
    const renamed = shown === name ? mapped : edit(mapped, { [member]: shown })
    const traits = kind === 'tools' && entry.builtIn !== true ? toolTraits(item, snapshot.server) : undefined
    const route = { entry, name, shown, traits }
    return [{ route, item: shape === undefined ? renamed : shape(renamed) }]
  })
}

/** An item with public URIs in its other members, and without what is valid only between client and backend. */
function mapItem(kind: ListKind, item: Payload, prefix: string, domains: ViewDomains): Payload {
  if (kind === 'tools') return mapTool(item, prefix)
  return kind === 'prompts' ? item : withFittingDomain(item, domains)
}

function textMember(item: Payload, member: string): string | undefined {
  const text = memberOf(item.value(), member)
  return typeof text === 'string' ? text : undefined
}
