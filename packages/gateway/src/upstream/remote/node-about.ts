import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'

/** What a node announces to the others (`Fabric.announce`). */
export interface NodeAbout {
  /** Gateways accept clients; workers only host backends. */
  readonly role: 'gateway' | 'worker'
  /** Its name for people, from its configuration. */
  readonly name: string
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  /** Equal on gateways with the same access rules. */
  readonly policy?: string
  /** The backends whose links this node opens itself, by name. */
  readonly backends: Readonly<Record<string, BackendAbout>>
}

/** A backend as its host reports it. */
export interface BackendAbout {
  /** The state of the backend; other versions may use other words. */
  readonly state: string
  /** How many tools it lists; 0: they were not read yet. */
  readonly tools: number
}

/** Writes the announcement of a node. */
export function printNodeAbout({ role, name, version, startedAt, policy, backends }: NodeAbout): JsonObject {
  const printed = Object.entries(backends).map(([backend, { state, tools }]) => [backend, { state, tools }])
  return {
    role,
    name,
    version,
    startedAt,
    ...(policy !== undefined && { policy }),
    backends: Object.fromEntries(printed),
  }
}

/**
 * Reads the announcement of a node. A member that is missing, or has another form than in this version, is empty.
 * `undefined`: the role of the node is unknown.
 */
export function readNodeAbout({ role, name, version, startedAt, policy, backends }: JsonObject): NodeAbout | undefined {
  if (role !== 'gateway' && role !== 'worker') return undefined
  const hosted = isJsonObject(backends) ? Object.entries(backends) : []
  return {
    role,
    name: textOf(name),
    version: textOf(version),
    startedAt: textOf(startedAt),
    ...(typeof policy === 'string' && { policy }),
    backends: Object.fromEntries(hosted.map(([backend, about]) => [backend, readBackendAbout(about)])),
  }
}

function readBackendAbout(about: JsonValue | undefined): BackendAbout {
  const { state, tools } = isJsonObject(about) ? about : {}
  return { state: textOf(state), tools: Number.isSafeInteger(tools) ? Number(tools) : 0 }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
