import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'

/** What a node announces to the others (`Fabric.announce`). */
export interface NodeAbout {
  /** Gateways let clients in; workers only host backends. */
  readonly role: 'gateway' | 'worker'
  /** What people call it: the name in its configuration. */
  readonly name: string
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  /** The same on gateways that let the same callers do the same. */
  readonly policy?: string
  /** The backends whose links this node opens itself, by name. */
  readonly backends: Readonly<Record<string, BackendAbout>>
}

/** A backend as its host sees it. */
export interface BackendAbout {
  /** How it does, in a word; other versions may know other words. */
  readonly state: string
  /** How many tools it lists; 0 until they have been read. */
  readonly tools: number
}

/** The announcement of a node. */
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
 * The announcement that a node made. What it lacks, or has in another form than this version, is empty;
 * `undefined` when its role is not known.
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
