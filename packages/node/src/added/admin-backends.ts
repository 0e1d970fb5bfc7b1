import { type AddedProblem, checkAddedBackend, showBackendNamed } from '@junctor/config'
import type { Emit } from '@junctor/contracts'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import type { Plugin } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/protocol'
import type { AdminBackends, AdminReply, Precondition } from '@junctor/telemetry'
import type { NodeConfig } from '../node-config.ts'
import type { AddedBackends } from './added-backends.ts'
import type { AddedChange, AddedEntry } from './added-record.ts'
import type { AddedStore } from './added-store.ts'
import { ServingError } from './serving-error.ts'

export interface AdminBackendsParts {
  readonly added: AddedBackends
  readonly store: AddedStore
  readonly plugins: readonly Plugin[]
  /** The configuration of the file. */
  readonly file: () => NodeConfig
  readonly emit: Emit
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string
}

/** Lists, adds, changes and removes backends for the admin port. */
export function createAdminBackends(parts: AdminBackendsParts): AdminBackends {
  const { added, store, plugins, file, emit, redact } = parts

  const shown = (name: string): JsonObject | undefined => {
    const { config, unserved } = added.addTo(file())
    const entry = Object.hasOwn(added.record.backends, name) ? added.record.backends[name] : undefined
    const problems = unserved.get(name)
    const backend = showBackendNamed(config, name)
    if (entry === undefined) return backend && { name, source: 'file', backend }
    if (problems !== undefined)
      return { name, source: 'added', revision: entry.revision, problems: problemsBody(problems) }
    const tenants = config.tenants.filter(({ backends }) => backends.includes(name)).map((tenant) => tenant.name)
    return { name, source: 'added', revision: entry.revision, tenants, ...(backend && { backend }) }
  }
  const changed = async (
    name: string,
    entry: JsonValue | undefined,
    precondition: Precondition,
    tenants: readonly string[],
  ): Promise<AdminReply> => {
    const before = await store.read()
    const change = await store.change(name, entry, precondition)
    if (!('record' in change)) return unchangedReply(name, change, shown(name))
    try {
      await added.refresh()
    } catch (error) {
      if (!(error instanceof ServingError)) throw error
      await store.change(name, ownEntry(before.backends, name)?.entry, { kind: 'none' })
      await added.refresh().catch(() => {})
      return failed(422, 'backend_refused', redact(error.message))
    }
    added.announce()
    emit({ kind: 'backend_managed', change: change.kind, backend: name, tenants })
    return done(change.kind, change.kind === 'added' ? 201 : 200, name, shown(name))
  }

  return {
    list: () =>
      guarded(redact, async () => {
        await added.refresh()
        const names = [...file().backends.map(({ name }) => name), ...Object.keys(added.record.backends)]
        return { status: 200, body: { backends: [...new Set(names)].flatMap((name) => shown(name) ?? []) } }
      }),
    one: (name) =>
      guarded(redact, async () => {
        await added.refresh()
        return found(shown(name)) ?? unknown(name)
      }),
    put: (name, entry, precondition) =>
      guarded(redact, async () => {
        const checked = checkAddedBackend(name, entry, file(), plugins)
        if (checked.kind === 'valid') return changed(name, entry, precondition, checked.tenants)
        const [first] = checked.problems
        const status = first?.kind === 'name_taken' ? 409 : 400
        return {
          status,
          body: { ...refusal('invalid_backend', messageOf(first)), problems: problemsBody(checked.problems) },
        }
      }),
    remove: (name, precondition) =>
      guarded(redact, async () => {
        if (!file().backends.some((backend) => backend.name === name)) return changed(name, undefined, precondition, [])
        const message = `"${name}" is in the configuration file: remove it there`
        return failed(409, 'backend_of_the_file', message)
      }),
  }
}

async function guarded(redact: (text: string) => string, work: () => Promise<AdminReply>): Promise<AdminReply> {
  try {
    return await work()
  } catch (error) {
    const isKnown = error instanceof JunctorError && error.code === 'FABRIC_UNAVAILABLE'
    const message = redact(error instanceof Error ? error.message : String(error))
    if (isKnown) return failed(503, 'fabric_unavailable', `${message}. Look whether it was done, and try again`)
    return failed(500, 'internal_error', message)
  }
}

function unchangedReply(
  name: string,
  change: Exclude<AddedChange, { readonly record: unknown }>,
  shown: JsonObject | undefined,
): AdminReply {
  switch (change.kind) {
    case 'unchanged':
      return done('unchanged', 200, name, shown)
    case 'absent':
      return unknown(name)
    case 'precondition_failed':
      return failed(412, 'precondition_failed', `expected another state of "${name}", got ${change.got}`)
    case 'too_many':
      return failed(409, 'too_many', change.message)
  }
}

function done(change: string, status: number, name: string, shown: JsonObject | undefined): AdminReply {
  return { ...revisionOf(shown), status, body: { ...(shown ?? { name }), change } }
}

function found(shown: JsonObject | undefined): AdminReply | undefined {
  return shown && { ...revisionOf(shown), status: 200, body: shown }
}

function revisionOf(shown: JsonObject | undefined): Pick<AdminReply, 'revision'> {
  const revision = shown?.['revision']
  return typeof revision === 'number' ? { revision } : {}
}

function unknown(name: string): AdminReply {
  return failed(404, 'unknown_backend', `there is no backend "${name}"`)
}

function failed(status: number, error: string, message: string): AdminReply {
  return { status, body: refusal(error, message) }
}

function refusal(error: string, message: string): { readonly error: string; readonly message: string } {
  return { error, message }
}

function problemsBody(problems: readonly AddedProblem[]): readonly JsonObject[] {
  return problems.map(({ kind, path, got, expected, next }) => ({ kind, path, got, expected, next }))
}

function messageOf(problem: AddedProblem | undefined): string {
  if (problem === undefined) return 'the backend cannot be used'
  const { path, expected, got } = problem
  return `${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`
}

function ownEntry(backends: Readonly<Record<string, AddedEntry>>, name: string): AddedEntry | undefined {
  return Object.hasOwn(backends, name) ? backends[name] : undefined
}
