import type { Backend, ListKind, Log, Scope, ServerInfo } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { canonical } from '../links/scope.ts'
import { waitAtMost, withTimeout } from '../../shared/patience.ts'
import { findingTexts } from './finding-texts.ts'
import type { Snapshot } from './snapshot.ts'
import { listKinds, takeSnapshot } from './snapshot.ts'

/** What this node knows of what its backends offer. */
export interface BackendCatalogue {
  /** Rises with every change, so that whatever was derived before can tell that it is old. */
  readonly version: number
  /** What the backend offers to the scope; `undefined` when that has to be asked first. */
  current(entry: BackendEntry, scope: Scope): Snapshot | undefined
  /** The same, but what is known to be old is better than nothing. */
  latest(entry: BackendEntry, scope: Scope): Snapshot | undefined
  /**
   * Asks the backend, once for everyone who waits. Resolves when there is an answer, or none, or `patienceMs` after the
   * ask began: a backend that hangs then holds up those who come first, not everyone as long again. Never rejects.
   */
  load(entry: BackendEntry, scope: Scope, patienceMs: number): Promise<void>
  /** The link says that its lists changed. */
  changed(slot: LinkSlot): void
  /** The backend is gone or back: everything of it is asked again. */
  forget(entry: BackendEntry): void
  /** The scope is gone for good, and with it what only its link saw. */
  retired(entry: BackendEntry, scope: Scope): void
  /** Why the backend, which was reached, did not list what it offers to the scope; `undefined` when it did. */
  failure(entry: BackendEntry, scope: Scope): Error | undefined
  /** What the backend last said of itself. */
  server(entry: BackendEntry): ServerInfo | undefined
}

/** Lists of a backend that does not tell of changes are asked again after this, in milliseconds. */
const untoldAgeMs = 5 * 60_000
/** A backend that did not answer is left out of lists for this long before it is asked again, in milliseconds. */
const failedAgeMs = 1_000
const listTimeoutMs = 15_000

/** An ask under way, and when it began, in epoch milliseconds. */
interface Flight {
  readonly answered: Promise<void>
  readonly since: number
  /** Somebody has gone on without the answer. */
  missed: boolean
}

/** One thing known: a snapshot, or that there is none. */
interface Known {
  readonly snapshot: Snapshot | undefined
  readonly expires: number
  /** Why there is none, unless it was not reached at all. */
  readonly failure?: Error
}

/** @param late told of lists that came when somebody had gone on without them */
export function createBackendCatalogue(
  pool: LinkPool,
  log: Log,
  clock: Clock,
  late: (entry: BackendEntry, kinds: readonly ListKind[]) => void,
): BackendCatalogue {
  const { now } = clock
  /** By backend: what sessions with equal capabilities share, and what one link's scope alone has seen change. */
  const known = new Map<BackendEntry, Map<string, Known>>()
  const loading = new Map<string, Flight>()
  const own = new Set<string>()
  const servers = new WeakMap<BackendEntry, ServerInfo>()
  /** What was last said to be wrong with their lists. */
  const reported = new WeakMap<Backend, string>()
  /** Changes by backend: what was asked before a change and answered after it is old at once. */
  const changes = new WeakMap<BackendEntry, number>()
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

  /** Once for all that is wrong at one time, and not again as long as the same is wrong. */
  const report = ({ backend }: BackendEntry, { findings }: Snapshot): void => {
    const items = findingTexts(findings)
    const text = items.join('\n')
    if ((reported.get(backend) ?? '') === text) return
    reported.set(backend, text)
    if (text !== '') log.warn('a backend lists what cannot be shown as it came', { backend: backend.name, items })
  }

  /** Asks the slot's link and keeps what it says, unless the slot was retired meanwhile: that says nothing of others. */
  const ask = async (slot: LinkSlot): Promise<void> => {
    const { entry, scope } = slot
    // Computed when there is something to put: a change meanwhile may have set the scope apart from the others.
    const keep = (value: Known): void => {
      if (!slot.retired) put(entry, keyOf(entry, scope), value)
    }
    const opened = await pool.acquire(slot)
    if ('kind' in opened) {
      return keep({ snapshot: undefined, expires: now() + Math.max(failedAgeMs, opened.retryAfterMs ?? 0) })
    }
    const before = changes.get(entry)
    try {
      const snapshot = await withTimeout(clock, listTimeoutMs, (signal) =>
        takeSnapshot(opened, ++snapshots, now(), signal),
      )
      report(entry, snapshot)
      servers.set(entry, snapshot.server)
      const keepMs = tellsChanges(snapshot.server) ? Infinity : untoldAgeMs
      keep({ snapshot, expires: changes.get(entry) === before ? now() + keepMs : 0 })
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      log.warn('a backend did not list what it offers', { backend: entry.backend.name, error: failure.message })
      keep({ snapshot: undefined, expires: now() + failedAgeMs, failure })
    }
  }

  /** One ask at a time for all who would get the same. */
  const join = async (entry: BackendEntry, scope: Scope, patienceMs: number): Promise<void> => {
    const key = `${entry.backend.name} ${keyOf(entry, scope)}`
    let flight = loading.get(key)
    if (flight === undefined) {
      const slot = pool.slot(entry, scope)
      const answered = ask(slot).finally(() => {
        const isMissed = loading.get(key)?.missed === true
        loading.delete(key)
        pool.release(slot)
        if (isMissed) tellLate(entry, scope)
      })
      flight = { answered, since: now(), missed: false }
      loading.set(key, flight)
    }
    const leftMs = flight.since + patienceMs - now()
    if (leftMs > 0) await waitAtMost(clock, leftMs, flight.answered)
    // Who would not wait at all has no use for it.
    if (patienceMs > 0 && loading.get(key) === flight) flight.missed = true
  }

  const tellLate = (entry: BackendEntry, scope: Scope): void => {
    const lists = valid(entry, scope)?.snapshot?.lists
    if (lists !== undefined)
      late(
        entry,
        listKinds.filter((kind) => lists[kind].length > 0),
      )
  }

  const valid = (entry: BackendEntry, scope: Scope): Known | undefined => {
    const value = known.get(entry)?.get(keyOf(entry, scope))
    return value !== undefined && value.expires > now() ? value : undefined
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
    current: (entry, scope) => valid(entry, scope)?.snapshot,
    latest: (entry, scope) => known.get(entry)?.get(keyOf(entry, scope))?.snapshot,
    async load(entry, scope, patienceMs) {
      if (valid(entry, scope) !== undefined) return
      const joined = loading.has(`${entry.backend.name} ${keyOf(entry, scope)}`)
      await join(entry, scope, patienceMs)
      // Another session asked, and what it got does not count here: it has ended, or its link was set apart.
      if (joined && valid(entry, scope) === undefined) await join(entry, scope, patienceMs)
    },
    changed(slot) {
      const { entry, scope } = slot
      // A session's own link speaks for that session alone: what changed there need not have changed for others.
      const slotKey = `${entry.backend.name} ${scope.key}`
      const common = commonKey(scope)
      if (scope.session !== undefined && !own.has(slotKey)) {
        own.add(slotKey)
        const value = known.get(entry)?.get(common)
        if (value !== undefined) put(entry, scope.key, value)
      }
      age(entry, scope.key)
      age(entry, common)
      change(entry)
    },
    forget(entry) {
      known.delete(entry)
      change(entry)
    },
    retired(entry, scope) {
      own.delete(`${entry.backend.name} ${scope.key}`)
      known.get(entry)?.delete(scope.key)
    },
    failure: (entry, scope) => known.get(entry)?.get(keyOf(entry, scope))?.failure,
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
