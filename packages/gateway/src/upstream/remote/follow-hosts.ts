import type { ErrorReporter, Fabric, Log, NodeChange, Scope } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { followNodes } from '../../nodes/follow-nodes.ts'
import type { BackendCatalogue } from '../catalogue/backend-catalogue.ts'
import { changedKinds } from '../catalogue/changed-kinds.ts'
import type { CatalogueLoader } from '../catalogue/catalogue-loader.ts'
import type { ListChanges } from '../callers/list-changes.ts'
import { listKinds } from '../catalogue/snapshot.ts'
import type { LinkPool } from '../links/link-pool.ts'
import { Hosts } from './hosts.ts'
import { noWorkerError } from './no-worker-error.ts'

/** The fabric that knows the hosts, and what their coming and going changes: links, lists, callers. */
export interface FollowHostsParts {
  readonly fabric: Fabric
  readonly pool: Pick<LinkPool, 'revive' | 'miss' | 'health'>
  readonly catalogue: Pick<BackendCatalogue, 'forget' | 'latest'>
  readonly loader: Pick<CatalogueLoader, 'load'>
  readonly changes: ListChanges
  /** Each backend, with a scope for requesting its lists. */
  readonly scopes: () => ReadonlyMap<BackendEntry, Scope>
  readonly log: Log
  /** Called with the error of a change that could not be processed; later changes are still processed. */
  readonly reportError: ErrorReporter
}

/**
 * Follows the nodes that host backends, until the signal aborts. When the first host of a backend appears, the backend
 * is tried immediately; when the last one disappears, its lists are empty. Callers are notified of both.
 */
export async function followHosts(parts: FollowHostsParts, signal: AbortSignal): Promise<void> {
  const { fabric, pool, catalogue, loader, changes, log } = parts
  const hosts = new Hosts()

  /** A backend that was not used yet need not be asked for its lists. */
  const isUsed = (entry: BackendEntry): boolean => pool.health(entry).state !== 'starting'

  const came = (entry: BackendEntry, scope: Scope): void => {
    const wanted = isUsed(entry)
    pool.revive(entry)
    catalogue.forget(entry)
    if (wanted) void loader.load(entry, scope, Infinity)
  }

  const gone = (entry: BackendEntry): void => {
    const { name } = entry.backend
    log.warn('the last node that hosted a backend has gone', { backend: name })
    pool.miss(entry, noWorkerError(name))
  }

  /** Loads the lists again when a host has left: the remaining nodes may have another version with other lists. */
  const fewer = async (entry: BackendEntry, scope: Scope): Promise<void> => {
    const before = catalogue.latest(entry, scope)
    // Also lists that are on their way.
    catalogue.forget(entry)
    if (before === undefined && !isUsed(entry)) return
    await loader.load(entry, scope, Infinity)
    const after = catalogue.latest(entry, scope)
    if (after === undefined || (before !== undefined && changedKinds(before, after).length === 0)) return
    changes.changed(entry, listKinds)
  }

  const follow = (change: NodeChange): void => {
    const changed = hosts.apply(change)
    for (const [entry, scope] of parts.scopes()) {
      const { name } = entry.backend
      if (entry.remote !== true) continue
      if (changed.came.includes(name)) came(entry, scope)
      if (changed.gone.includes(name)) gone(entry)
      if (changed.fewer.includes(name)) {
        fewer(entry, scope).catch((error: unknown) => parts.reportError('control', error, { backend: name }))
      }
    }
  }

  const others = (change: NodeChange): void => {
    if (change.node !== fabric.node) follow(change)
  }
  await followNodes(fabric, signal, others, parts.reportError)
}
