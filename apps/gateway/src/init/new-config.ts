import type { NotImported } from '@junctor/config'
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** The content of a new configuration. */
export interface NewConfigOptions {
  /** Backends by source; the first backend with a name keeps the name. */
  readonly backends: readonly JsonObject[]
  readonly port: number | undefined
  readonly profile: string | undefined
}

/** A configuration that is not written yet. */
export interface NewConfig {
  readonly config: JsonObject
  /** Backends that could not be taken over unchanged, with the reason. */
  readonly left: readonly NotImported[]
}

/** The backend of a configuration without others, so that there is something to try. */
const demo: JsonObject = { demo: { plugin: '@junctor/plugin-demo' } }

/**
 * Builds a configuration. Equal backends from two sources become one; different backends with one name get two names.
 */
export function newConfig({ backends: sources, port, profile }: NewConfigOptions): NewConfig {
  const backends: Record<string, JsonValue> = {}
  const left: NotImported[] = []
  for (const [name, backend] of sources.flatMap((source) => Object.entries(source))) {
    const other = backends[name]
    if (backend === undefined || isDeepStrictEqual(other, backend)) continue
    const free = freeName(name, backends)
    if (free !== name) left.push({ what: name, why: `another one has its name: it is ${free} here` })
    backends[free] = backend
  }
  return {
    config: {
      ...(port !== undefined && { listen: { http: { port } } }),
      ...(profile !== undefined && { profile }),
      backends: Object.keys(backends).length === 0 ? demo : backends,
    },
    left,
  }
}

function freeName(name: string, taken: JsonObject): string {
  let free = name
  for (let count = 2; Object.hasOwn(taken, free); count += 1) free = `${name.slice(0, 60)}-${count}`
  return free
}
