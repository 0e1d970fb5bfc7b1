import {
  edit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  member,
  type Payload,
  payloadFromText,
  payloadOf,
  printPayload,
} from '@junctor/jsonrpc'
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
 * caches. Members that the result already has stay. A result without hints must not be kept: it may be for this caller alone.
 *
 * @param server the gateway's name and version, which replace those of a backend
 */
export function statelessResult(method: string, result: Payload, server: ServerMeta): Payload {
  const value = result.value()
  if (!isJsonObject(value)) return result
  if (isPlain(value) && !cacheable.has(method)) {
    const text = printPayload(result)
    // Most results: what is added is a text that exists already.
    if (text.endsWith('}') && text.length > 2) return payloadFromText(`${text.slice(0, -1)},${server.ending}`)
  }
  const own = isJsonObject(value['_meta']) ? member(result, '_meta') : undefined
  const patch: Record<string, Payload | JsonValue> = {
    _meta: own === undefined ? server.meta : edit(own, server.meta.value() as JsonObject),
  }
  const { resultType, ttlMs, cacheScope } = value
  if (typeof resultType !== 'string') patch['resultType'] = complete
  if (cacheable.has(method) && (patch['resultType'] ?? resultType) === complete) {
    if (!Number.isSafeInteger(ttlMs) || Number(ttlMs) < 0) patch['ttlMs'] = 0
    if (cacheScope !== 'public' && cacheScope !== 'private') patch['cacheScope'] = 'private'
  }
  return edit(result, patch)
}

/** A result of an older revision, which has nothing of what is added. */
function isPlain(value: JsonObject): boolean {
  return value['_meta'] === undefined && value['resultType'] === undefined
}

/** What names the gateway in each result. Made once, it is printed once. */
export interface ServerMeta {
  /** The `_meta`. */
  readonly meta: Payload
  /** The end of a complete result that has no members of 2026-07-28. */
  readonly ending: string
}

/** Returns what names the gateway in each result. */
export function serverMeta(name: string, version: string): ServerMeta {
  const meta = payloadOf({ [metaKeys.serverInfo]: { name, version } })
  return { meta, ending: `"resultType":"${complete}","_meta":${printPayload(meta)}}` }
}
