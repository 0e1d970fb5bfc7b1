import type { LeftOut } from '@junctor/config'
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** What a new configuration is made of. */
export interface Wishes {
  /** By where they come from; the first that has a name keeps it. */
  readonly backends: readonly JsonObject[]
  readonly port: number | undefined
  readonly profile: string | undefined
}

export interface NewConfig {
  readonly config: JsonObject
  /** What became of backends that could not be taken as they are. */
  readonly left: readonly LeftOut[]
}

/** Stands in for backends where nobody has named one, so that there is something to try. */
const demo: JsonObject = { demo: { plugin: '@junctor/plugin-demo' } }

/** Puts a configuration together. The same backend from two places is one; two with one name get two names. */
export function newConfig({ backends: sources, port, profile }: Wishes): NewConfig {
  const backends: Record<string, JsonValue> = {}
  const left: LeftOut[] = []
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
