import type { Caught, Fabric, Log, NodeChange, Scope } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { isDeepStrictEqual } from 'node:util'
import { printPayload } from '@junctor/jsonrpc'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BackendCatalogue } from '../catalogue/backend-catalogue.ts'
import type { ListChanges } from '../callers/list-changes.ts'
import type { Snapshot } from '../catalogue/snapshot.ts'
import { listKinds } from '../catalogue/snapshot.ts'
import type { LinkPool } from '../links/link-pool.ts'
import { Holders } from './holders.ts'

export interface FollowParts {
  readonly fabric: Fabric
  readonly pool: Pick<LinkPool, 'revive' | 'miss' | 'health'>
  readonly catalogue: Pick<BackendCatalogue, 'forget' | 'load' | 'latest'>
  readonly changes: ListChanges
  /** Each backend, and a scope to ask it for what it lists. */
  readonly scopes: () => ReadonlyMap<BackendEntry, Scope>
  readonly log: Log
  /** Told of a change that could not be followed; the next ones are. */
  readonly caught: Caught
}

/**
 * Brings the comings and goings of nodes to the backends that they hold, until the signal aborts: with the first holder
 * what was not to be reached is tried at once, with the last one its lists are empty, and sessions are told of both.
 */
export async function followHolders(parts: FollowParts, signal: AbortSignal): Promise<void> {
  const { fabric, pool, catalogue, changes, log } = parts
  const holders = new Holders()

  const came = (entry: BackendEntry, scope: Scope): void => {
    // What nobody has asked for yet need not be asked now.
    const wanted = pool.health(entry).state !== 'starting'
    pool.revive(entry)
    catalogue.forget(entry)
    if (wanted) void catalogue.load(entry, scope, Infinity)
  }

  const gone = (entry: BackendEntry): void => {
    const { name } = entry.backend
    log.warn('the last node that held a backend has gone', { backend: name })
    pool.miss(entry, new JunctorError('BACKEND_UNREACHABLE', `no node is there that hosts ${name}`))
  }

  /** Nodes of another version may list something else. */
  const fewer = async (entry: BackendEntry, scope: Scope): Promise<void> => {
    const before = catalogue.latest(entry, scope)
    if (before === undefined) return
    catalogue.forget(entry)
    await catalogue.load(entry, scope, Infinity)
    const after = catalogue.latest(entry, scope)
    if (after === undefined || sameLists(before, after)) return
    for (const kind of listKinds) changes.changed(entry, kind, undefined)
  }

  const follow = (change: NodeChange): void => {
    const changed = holders.apply(change)
    for (const [entry, scope] of parts.scopes()) {
      const { name } = entry.backend
      if (entry.remote !== true) continue
      if (changed.came.includes(name)) came(entry, scope)
      if (changed.gone.includes(name)) gone(entry)
      if (changed.fewer.includes(name)) {
        fewer(entry, scope).catch((error: unknown) => parts.caught('control', error, { backend: name }))
      }
    }
  }

  for await (const change of fabric.nodes(signal)) {
    try {
      if (change.node !== fabric.node) follow(change)
    } catch (error) {
      parts.caught('control', error, { node: change.node })
    }
  }
}

function sameLists(one: Snapshot, other: Snapshot): boolean {
  return listKinds.every((kind) =>
    isDeepStrictEqual(one.lists[kind].map(printPayload), other.lists[kind].map(printPayload)),
  )
}
