import { checkAddedBackend } from '@junctor/config'
import type { Emit } from '@junctor/contracts'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import type { Plugin } from '@junctor/plugin-sdk'
import { situationOf } from '@junctor/protocol'
import type { AdminBackends, AdminReply, Precondition } from '@junctor/telemetry'
import { errorOf } from '@junctor/primitives'
import type { NodeConfig } from '../node-config.ts'
import type { AddedBackends } from './added-backends.ts'
import type { AddedStore } from './added-store.ts'
import type { StoredChange } from './added-record.ts'
import { backendReply, changeReply, problemsReply, refusalReply } from './admin-replies.ts'
import { ServingError } from './serving-error.ts'
import { shownBackend } from './shown-backend.ts'

/** The backends of the file and the added ones, and how a change is stored and reported. */
export interface AdminBackendsParts {
  readonly added: AddedBackends
  readonly store: AddedStore
  readonly plugins: readonly Plugin[]
  /** The configuration of the file. */
  readonly file: () => NodeConfig
  /** Why added backends could not be created, by name. */
  readonly failures: () => ReadonlyMap<string, Error>
  readonly emit: Emit
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string
}

/** A checked change of one backend. */
interface WantedChange {
  readonly name: string
  /** Undefined: the backend is removed. */
  readonly entry: JsonValue | undefined
  readonly precondition: Precondition
  readonly tenants: readonly string[]
}

/** Lists, adds, changes and removes backends for the admin port. */
export function createAdminBackends(parts: AdminBackendsParts): AdminBackends {
  const { added, plugins, file, redact } = parts
  const shown = (name: string): JsonObject | undefined => shownNow(parts, name)
  return {
    list: () =>
      guarded(redact, async () => {
        await added.refresh()
        const names = [...file().backends.map(({ name }) => name), ...Object.keys(added.record.backends)]
        const backends = [...new Set(names)].flatMap((name) => shown(name) ?? [])
        return { status: 200, body: { backends } }
      }),
    one: (name) =>
      guarded(redact, async () => {
        await added.refresh()
        return backendReply(name, shown(name))
      }),
    put: (name, entry, precondition) =>
      guarded(redact, async () => {
        const checked = checkAddedBackend(name, entry, file(), plugins)
        if (checked.kind === 'invalid') return problemsReply(checked.problems)
        return changed(parts, { name, entry, precondition, tenants: checked.tenants })
      }),
    remove: (name, precondition) =>
      guarded(redact, async () => {
        if (!file().backends.some((backend) => backend.name === name)) {
          return changed(parts, { name, entry: undefined, precondition, tenants: [] })
        }
        const message = `"${name}" is in the configuration file: remove it there`
        return refusalReply(409, 'backend_of_the_file', message)
      }),
  }
}

function shownNow({ added, file, failures, redact }: AdminBackendsParts, name: string): JsonObject | undefined {
  const failure = failures().get(name)
  return shownBackend(name, file(), added, failure && redact(failure.message))
}

/** Stores a change and serves it. What this node cannot serve gets its former state back, unless it has changed again. */
async function changed(
  parts: AdminBackendsParts,
  { name, entry, precondition, tenants }: WantedChange,
): Promise<AdminReply> {
  const { added, store, emit, failures } = parts
  const change = await store.change(name, entry, precondition)
  if (!('record' in change)) return changeReply(name, change, shownNow(parts, name))
  const announced = (): void => {
    added.announce()
    emit({ kind: 'backend_managed', change: change.kind, backend: name, tenants })
  }
  try {
    await added.refresh()
  } catch (error) {
    if (error instanceof ServingError) return undone(parts, name, change, error)
    announced()
    throw error
  }
  const failure = failures().get(name)
  if (failure !== undefined && entry !== undefined) return undone(parts, name, change, failure)
  announced()
  return changeReply(name, change, shownNow(parts, name))
}

/** Stores the former state of a backend that cannot be served. */
async function undone(
  { store, added, redact }: AdminBackendsParts,
  name: string,
  { before, undo }: StoredChange,
  problem: Error,
): Promise<AdminReply> {
  await store.change(name, before, undo)
  // What cannot be served now is tried again by itself.
  await Promise.allSettled([added.refresh()])
  return refusalReply(422, 'backend_refused', redact(problem.message))
}

async function guarded(redact: (text: string) => string, work: () => Promise<AdminReply>): Promise<AdminReply> {
  try {
    return await work()
  } catch (error) {
    const message = redact(errorOf(error).message)
    if (situationOf(error) === 'fabric_unavailable') {
      return refusalReply(503, 'fabric_unavailable', `${message}. See whether it was done, and try again`)
    }
    return refusalReply(500, 'internal_error', message)
  }
}
