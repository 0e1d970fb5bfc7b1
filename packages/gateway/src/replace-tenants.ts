import { listChanged } from '@junctor/protocol'
import type { BackendEntry } from './shared/backend-entry.ts'
import type { Upstream } from './upstream/upstream.ts'
import type { SessionTable } from './sessions/session/session-table.ts'
import { withMounts } from './shared/mounts.ts'
import type { NamePolicy, TenantEntry } from './shared/tenant-entry.ts'
import type { Listeners } from './stateless/listeners.ts'
import type { Caller } from './upstream/callers/caller.ts'
import type { Subscription, Subscriptions } from './upstream/subscriptions/subscriptions.ts'

/** What a change of tenants and backends affects. */
export interface ReplaceTenantsParts {
  /** The table that all parts of the gateway read. */
  readonly tenants: Map<string, TenantEntry>
  readonly table: Pick<SessionTable, 'homes' | 'visiting'>
  readonly listeners: Pick<Listeners, 'all' | 'end'>
  readonly upstream: Pick<Upstream, 'remove' | 'restore' | 'ends' | 'subscriptions'>
  /** The public URL of the gateway, if it is known. */
  readonly publicUrl: string | undefined
  /** Ends a session, because the configuration was reloaded. */
  end(session: string): Promise<void>
}

/** A session or a subscription, which gets the new configuration of its tenant. */
interface ConfiguredCaller extends Caller {
  applyConfig(tenant: TenantEntry): void
}

/**
 * Replaces the tenants. Backends are the same when their entries are the same objects: their links, and the sessions
 * that use them, are not affected. A session ends when its tenant was removed, or has another profile now, because the
 * result of its negotiation is no longer valid. A session that visits is ended by its home, which may reload later: its
 * open requests end here, because their clients have no access any more. Resolves when the links of removed backends are
 * closed.
 */
export async function replaceTenants(parts: ReplaceTenantsParts, next: readonly TenantEntry[]): Promise<void> {
  const { tenants, table, listeners, upstream } = parts
  const subscribed = subscriptionsOf([...table.homes(), ...listeners.all()], upstream)
  const before = backendsOf(tenants.values())
  const old = new Map(tenants)
  tenants.clear()
  for (const entry of withMounts(next, parts.publicUrl)) tenants.set(entry.tenant.name, entry)
  const after = backendsOf(next)
  const gone = [...before].filter((entry) => !after.has(entry))
  for (const entry of after) upstream.restore(entry)

  const ending: Promise<void>[] = []
  const applyTo = (caller: ConfiguredCaller, tenant: TenantEntry): void => {
    ending.push(upstream.ends.leave(caller, lostBy(caller, tenant, after)))
    caller.applyConfig(tenant)
    upstream.subscriptions.renew(caller, subscribed.get(caller) ?? [])
    if (!isSameView(old.get(tenant.tenant.name), tenant)) announceLists(caller)
  }
  for (const session of table.homes()) {
    const tenant = tenants.get(session.tenant.tenant.name)
    const isSameProfile = tenant?.tenant.profile === session.tenant.tenant.profile
    if (tenant === undefined || !isSameProfile) ending.push(parts.end(session.id))
    else if (session.tenant !== tenant) applyTo(session, tenant)
  }
  for (const { tenant, inFlight } of table.visiting()) {
    if (tenants.has(tenant.name)) continue
    for (const exchange of inFlight?.values() ?? []) exchange.end('session_ended')
  }
  for (const listener of listeners.all()) {
    const tenant = tenants.get(listener.context.tenant)
    if (tenant === undefined) listeners.end(listener)
    else applyTo(listener, tenant)
  }
  await Promise.all([...ending, ...gone.map((entry) => upstream.remove(entry))])
}

/** The backends that a caller has no more, and others have. */
function lostBy(caller: Caller, { backends }: TenantEntry, kept: ReadonlySet<BackendEntry>): readonly BackendEntry[] {
  return caller.tenant.backends.filter((entry) => kept.has(entry) && !backends.includes(entry))
}

function subscriptionsOf(
  callers: readonly Caller[],
  { subscriptions }: { readonly subscriptions: Pick<Subscriptions, 'of'> },
): ReadonlyMap<Caller, readonly Subscription[]> {
  const found = callers.map((caller) => [caller, subscriptions.of(caller)] as const)
  return new Map(found.filter(([, { length }]) => length > 0))
}

/** Anything that the tenant offers may have changed. */
function announceLists(caller: Caller): void {
  if (!caller.tenant.tenant.profile.announcesLists) return
  for (const method of Object.values(listChanged)) caller.notify({ method, params: undefined })
}

/** Whether clients see the same names as before. */
function isSameView(before: TenantEntry | undefined, after: TenantEntry): boolean {
  return (
    before !== undefined &&
    before.single === after.single &&
    before.separator === after.separator &&
    before.maxNameLength === after.maxNameLength &&
    sameList(before.backends, after.backends) &&
    samePolicy(before.tools, after.tools) &&
    samePolicy(before.prompts, after.prompts) &&
    samePolicy(before.resources, after.resources)
  )
}

function samePolicy(a: NamePolicy | undefined, b: NamePolicy | undefined): boolean {
  return sameList(a?.deny ?? [], b?.deny ?? []) && sameList(a?.allow ?? ['*:*'], b?.allow ?? ['*:*'])
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function backendsOf(tenants: Iterable<TenantEntry>): ReadonlySet<BackendEntry> {
  const found = new Set<BackendEntry>()
  for (const { backends } of tenants) for (const entry of backends) found.add(entry)
  return found
}
