import type { Log, Scope, ServerInfo } from '@junctor/exchange'
import { isJsonObject } from '@junctor/jsonrpc'
import type { BackendEntry } from '../backend-entry.ts'
import type { Clock } from '../clock.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { canonical } from '../links/scope.ts'
import { withTimeout } from '../patience.ts'
import type { Snapshot } from './snapshot.ts'
import { takeSnapshot } from './snapshot.ts'

/** What this node knows of what its backends offer. */
export interface BackendCatalogue {
  /** Rises with every change, so that whatever was derived before can tell that it is old. */
  readonly version: number
  /** What the backend offers to the scope; `undefined` when that has to be asked first. */
  current(entry: BackendEntry, scope: Scope): Snapshot | undefined
  /** The same, but what is known to be old is better than nothing. */
  latest(entry: BackendEntry, scope: Scope): Snapshot | undefined
  /** Asks the backend, once for everyone who waits. `undefined` when it cannot be reached. Never rejects. */
  load(entry: BackendEntry, scope: Scope): Promise<Snapshot | undefined>
  /** The link says that its lists changed. */
  changed(slot: LinkSlot): void
  /** The backend is gone or back: everything of it is asked again. */
  forget(entry: BackendEntry): void
  /** The slot is gone for good, and with it what only its scope saw. */
  retired(slot: LinkSlot): void
  /** What the backend last said of itself. */
  server(entry: BackendEntry): ServerInfo | undefined
}

/** Lists of a backend that does not tell of changes are asked again after this, in milliseconds. */
const untoldAgeMs = 5 * 60_000
/** A backend that did not answer is left out of lists for this long before it is asked again, in milliseconds. */
const failedAgeMs = 1_000
const listTimeoutMs = 15_000

/** One thing known: a snapshot, or that there is none. */
interface Known {
  readonly snapshot: Snapshot | undefined
  readonly expires: number
}

export function createBackendCatalogue(pool: LinkPool, log: Log, clock: Clock): BackendCatalogue {
  const { now } = clock
  /** By backend: what sessions with equal capabilities share, and what one link's scope alone has seen change. */
  const known = new Map<BackendEntry, Map<string, Known>>()
  const loading = new Map<string, Promise<Snapshot | undefined>>()
  const own = new Set<string>()
  const servers = new Map<BackendEntry, ServerInfo>()
  /** Changes by backend: what was asked before a change and answered after it is old at once. */
  const changes = new Map<BackendEntry, number>()
  let version = 0
  let snapshots = 0

  const keyOf = (entry: BackendEntry, scope: Scope): string =>
    own.has(`${entry.backend.name} ${scope.key}`) ? scope.key : commonKey(scope)

  const put = (entry: BackendEntry, key: string, value: Known): void => {
    let scopes = known.get(entry)
    if (scopes === undefined) known.set(entry, (scopes = new Map()))
    scopes.set(key, value)
    version += 1
  }

  const ask = async (entry: BackendEntry, scope: Scope): Promise<Snapshot | undefined> => {
    // Computed when there is something to put: a change meanwhile may have set the scope apart from the others.
    const keep = (value: Known): void => put(entry, keyOf(entry, scope), value)
    const opened = await pool.acquire(pool.slot(entry, scope))
    if ('kind' in opened) {
      keep({ snapshot: undefined, expires: now() + Math.max(failedAgeMs, opened.retryAfterMs ?? 0) })
      return undefined
    }
    const before = changes.get(entry)
    try {
      const snapshot = await withTimeout(clock, listTimeoutMs, (signal) =>
        takeSnapshot(opened, ++snapshots, now(), signal),
      )
      servers.set(entry, snapshot.server)
      const keepMs = tellsChanges(snapshot.server) ? Infinity : untoldAgeMs
      keep({ snapshot, expires: changes.get(entry) === before ? now() + keepMs : 0 })
      return snapshot
    } catch (error) {
      log.warn('a backend did not list what it offers', {
        backend: entry.backend.name,
        error: error instanceof Error ? error.message : String(error),
      })
      keep({ snapshot: undefined, expires: now() + failedAgeMs })
      return undefined
    }
  }

  /** What is known stays until there is better, but is asked again. */
  const age = (entry: BackendEntry, key: string): void => {
    const scopes = known.get(entry)
    const value = scopes?.get(key)
    if (value !== undefined) scopes?.set(key, { ...value, expires: 0 })
  }

  const change = (entry: BackendEntry): void => {
    changes.set(entry, (changes.get(entry) ?? 0) + 1)
    version += 1
  }

  return {
    get version() {
      return version
    },
    current(entry, scope) {
      const value = known.get(entry)?.get(keyOf(entry, scope))
      return value !== undefined && value.expires > now() ? value.snapshot : undefined
    },
    latest: (entry, scope) => known.get(entry)?.get(keyOf(entry, scope))?.snapshot,
    load(entry, scope) {
      const key = keyOf(entry, scope)
      const value = known.get(entry)?.get(key)
      if (value !== undefined && value.expires > now()) return Promise.resolve(value.snapshot)
      const flight = `${entry.backend.name} ${key}`
      let promise = loading.get(flight)
      if (promise === undefined) {
        promise = ask(entry, scope).finally(() => loading.delete(flight))
        loading.set(flight, promise)
      }
      return promise
    },
    changed(slot) {
      const { entry, scope } = slot
      // A session's own link speaks for that session alone: what changed there need not have changed for others.
      if (scope.session !== undefined) own.add(`${entry.backend.name} ${scope.key}`)
      age(entry, scope.key)
      age(entry, commonKey(scope))
      change(entry)
    },
    forget(entry) {
      known.delete(entry)
      change(entry)
    },
    retired({ entry, scope }) {
      own.delete(`${entry.backend.name} ${scope.key}`)
      known.get(entry)?.delete(scope.key)
    },
    server: (entry) => servers.get(entry),
  }
}

/** Sessions of a tenant that declare the same are offered the same. */
function commonKey(scope: Scope): string {
  return `common ${scope.tenant} ${canonical(scope.capabilities)}`
}

function tellsChanges(server: ServerInfo): boolean {
  return ['tools', 'resources', 'prompts'].every((name) => {
    const capability = server.capabilities[name]
    return !isJsonObject(capability) || capability['listChanged'] === true
  })
}
