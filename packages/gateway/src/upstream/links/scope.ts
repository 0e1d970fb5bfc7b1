import type { Scope } from '@junctor/contracts'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/**
 * The client features that servers can use, with the parts that the specification gives them. Nothing else of a client's
 * capabilities is declared upstream: links and snapshots are kept for each set of them, so there must not be many.
 */
const relayed: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  roots: ['listChanged'],
  sampling: ['context', 'tools'],
}

/** For whom a call is. */
export interface Caller {
  readonly tenant: string
  /** The key of the principal that calls. Absent for what the gateway asks of its own accord. */
  readonly principal: string | undefined
  /** Absent for calls that belong to no session. */
  readonly session: string | undefined
  /** What the client declared. */
  readonly capabilities: JsonObject
}

/**
 * For whom a link must be, so that this caller may use it.
 *
 * Where each session has a link of its own, the calls of a principal that belong to no session share one.
 *
 * A link that several sessions share declares client features only where each message from upstream tells which request
 * caused it, and is then shared only between clients that declare the same.
 */
export function scopeFor(entry: BackendEntry, { tenant, principal, session, capabilities: declared }: Caller): Scope {
  if (entry.isolation === 'session' && principal !== undefined) {
    const key = session === undefined ? `sessionless ${canonical([tenant, principal])}` : `session ${session}`
    return { tenant, principal, session, capabilities: pick(declared), key }
  }
  const capabilities = entry.backend.correlates ? pick(declared) : {}
  const scope = { principal: undefined, session: undefined, capabilities }
  return entry.isolation === 'shared'
    ? { tenant: '', ...scope, key: `shared ${canonical(capabilities)}` }
    : { tenant, ...scope, key: `tenant ${tenant} ${canonical(capabilities)}` }
}

/** One text for equal JSON values, whatever the order of their members. */
export function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value ?? null)
  const members = Object.keys(value).toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

function pick(capabilities: JsonObject): JsonObject {
  const picked: Record<string, JsonValue> = {}
  for (const [name, parts] of Object.entries(relayed)) {
    const declared = capabilities[name]
    if (!isJsonObject(declared)) continue
    const kept = parts.filter((part) => isJsonObject(declared[part]) || declared[part] === true)
    picked[name] = Object.fromEntries(kept.map((part) => [part, declared[part] === true || {}]))
  }
  return picked
}
