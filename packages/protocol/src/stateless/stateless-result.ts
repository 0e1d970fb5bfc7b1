import { edit, isJsonObject, member, type JsonObject, type JsonValue, type Payload, payloadOf } from '@junctor/jsonrpc'
import { metaKeys } from '../meta-keys.ts'
import { methods } from '../methods.ts'

/** The methods whose complete results say how long they may be kept (2026-07-28, Caching, "Cacheable Results"). */
const cacheable: ReadonlySet<string> = new Set([
  methods.serverDiscover,
  methods.toolsList,
  methods.promptsList,
  methods.resourcesList,
  methods.resourcesTemplatesList,
  methods.resourcesRead,
  methods.skillsList,
  methods.skillsGet,
])

const complete = 'complete'

/**
 * Adds to a result what 2026-07-28 requires of every result: its type, and, where the method has them, the hints for
 * caches. What the result has of these stays. Without hints nobody may keep it: it may be meant for this caller alone.
 *
 * @param server the `_meta` with the gateway's name and version, which replace those of a backend: `serverMeta` makes it
 */
export function statelessResult(method: string, result: Payload, server: Payload): Payload {
  const value = result.value()
  if (!isJsonObject(value)) return result
  const own = isJsonObject(value['_meta']) ? member(result, '_meta') : undefined
  const patch: Record<string, Payload | JsonValue> = {
    _meta: own === undefined ? server : edit(own, server.value() as JsonObject),
  }
  const { resultType, ttlMs, cacheScope } = value
  if (typeof resultType !== 'string') patch['resultType'] = complete
  if (cacheable.has(method) && (patch['resultType'] ?? resultType) === complete) {
    if (!Number.isSafeInteger(ttlMs) || Number(ttlMs) < 0) patch['ttlMs'] = 0
    if (cacheScope !== 'public' && cacheScope !== 'private') patch['cacheScope'] = 'private'
  }
  return edit(result, patch)
}

/** The `_meta` that names the gateway in each result. Made once, it is printed once. */
export function serverMeta(name: string, version: string): Payload {
  return payloadOf({ [metaKeys.serverInfo]: { name, version } })
}
