import type { Log } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { Caller } from './caller.ts'
import type { CallerView } from './caller-view.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { BackendCatalogue } from '../catalogue/backend-catalogue.ts'
import type { ListPages } from '../catalogue/list-pages.ts'
import { createListPages } from '../catalogue/list-pages.ts'
import type { TenantView, ViewPart } from '../catalogue/tenant-view.ts'
import { mergeView } from '../catalogue/tenant-view.ts'
import type { PlainMethods } from '../catalogue/plain-methods.ts'
import { plainMethods } from '../catalogue/plain-methods.ts'

/** What each caller sees: merged once for all sessions that see the same. */
export interface CallerViews {
  /** At once when nothing changed since the caller last looked and every backend is known. */
  of(caller: Caller): CallerView | Promise<CallerView>
  /**
   * The same for a request that needs no more than one name. What is known of every backend, though of some it be old,
   * does when it has the name, and is asked again meanwhile: a backend whose lists change all the time, or that is slow
   * to tell, does not hold up calls to the others.
   */
  having(caller: Caller, kind: 'tools' | 'prompts', name: string): CallerView | Promise<CallerView>
  /** Whose a method outside MCP is. Backends name theirs before anybody reaches them, so nothing is waited for. */
  methodOwner(tenant: TenantEntry, method: string): BackendEntry | undefined
}

/** Merged views kept of one tenant: one for each set of client capabilities in use, and a few that are going. */
const keptViews = 16

interface Merged {
  readonly view: TenantView
  readonly pages: ListPages
}

export function createCallerViews(catalogue: BackendCatalogue, limits: GatewayLimits, log: Log): CallerViews {
  const merged = new WeakMap<TenantEntry, Map<string, Merged>>()
  const plain = new WeakMap<TenantEntry, PlainMethods>()

  const report = (collision: object): void =>
    log.warn('two backends offer the same name: both are refused', { ...collision })

  const merge = (tenant: TenantEntry, parts: readonly ViewPart[]): Merged => {
    let views = merged.get(tenant)
    if (views === undefined) merged.set(tenant, (views = new Map()))
    const key = parts.map(({ snapshot }) => snapshot.id).join(' ')
    const found = views.get(key)
    if (found !== undefined) return found
    const view = mergeView(tenant, parts)
    for (const collision of view.collisions) report(collision)
    const made = { view, pages: createListPages(view, limits.pageItems) }
    views.set(key, made)
    const [oldest] = views.keys()
    if (views.size > keptViews && oldest !== undefined) views.delete(oldest)
    return made
  }

  /** Merges what is known now. `fresh` is false when something of it is old or missing. */
  const look = (caller: Caller): { readonly seen: CallerView; readonly fresh: boolean } => {
    const parts: ViewPart[] = []
    const missing: BackendEntry[] = []
    const { version } = catalogue
    let fresh = true
    for (const entry of caller.tenant.backends) {
      const scope = caller.scope(entry)
      const current = catalogue.current(entry, scope)
      const snapshot = current ?? catalogue.latest(entry, scope)
      if (current === undefined) fresh = false
      if (snapshot === undefined) missing.push(entry)
      else parts.push({ entry, snapshot })
    }
    // What is not fresh is looked at again next time, whatever the version says then.
    return { seen: { ...merge(caller.tenant, parts), missing, version: fresh ? version : -1 }, fresh }
  }

  const load = async (caller: Caller): Promise<CallerView> => {
    const { backends, tenant } = caller.tenant
    const waitMs = tenant.profile.announcesLists ? limits.startWaitMs : limits.untoldStartWaitMs
    // One backend that hangs must not hold up what the others offer.
    await Promise.all(backends.map((entry) => catalogue.load(entry, caller.scope(entry), waitMs)))
    caller.seen = look(caller).seen
    return caller.seen
  }

  /** Sessions that are loading what has changed while they go on with what they knew. */
  const renewing = new Set<Caller>()

  const renew = (caller: Caller): void => {
    if (renewing.has(caller)) return
    renewing.add(caller)
    void load(caller).finally(() => renewing.delete(caller))
  }

  const atOnce = (caller: Caller, isEnough: (seen: CallerView) => boolean): CallerView | undefined => {
    const looked = look(caller)
    if (looked.fresh) caller.seen = looked.seen
    else if (isEnough(looked.seen)) renew(caller)
    else return undefined
    return looked.seen
  }

  return {
    of(caller) {
      const { seen } = caller
      if (seen !== undefined && seen.version === catalogue.version) return seen
      return atOnce(caller, () => false) ?? load(caller)
    },
    having(caller, kind, name) {
      const { seen } = caller
      if (seen !== undefined && seen.version === catalogue.version) return seen
      const hasName = ({ missing, view }: CallerView): boolean => missing.length === 0 && view.routes[kind].has(name)
      return atOnce(caller, hasName) ?? load(caller)
    },
    methodOwner(tenant, method) {
      let methods = plain.get(tenant)
      if (methods === undefined) {
        methods = plainMethods(tenant)
        for (const collision of methods.collisions) report(collision)
        plain.set(tenant, methods)
      }
      return methods.owners.get(method)
    },
  }
}
