import { isJsonObject, type JsonValue, mayHave, memberOf, type Payload, rewrite } from '@junctor/jsonrpc'
import { methods, uriFor } from '@junctor/protocol'
import { viewNames } from '../../shared/tool-views.ts'
import { foreignMembers, replace } from './foreign-members.ts'
import type { ViewDomains } from './view-domain.ts'

/**
 * A backend's result with public resource URIs, and without what is valid only between client and backend. All other
 * results are unchanged. Must be called only once for a result: see `uriFor`.
 *
 * @param prefix the prefix of the backend
 * @param domains what decides on the origins of its views
 */
export function mapResult(method: string, prefix: string, result: Payload, domains: ViewDomains): Payload {
  if (!mayHave(result, 'uri') && !mayHave(result, '_meta')) return result
  const value = result.value()
  const places = prefix === '' ? undefined : uriPlaces.get(method)
  const hasUris = places?.(value, () => true) === true
  const hasForeign = foreignMembers(method, value, domains).length > 0
  if (!hasUris && !hasForeign) return result
  return rewrite(result, (copy) => {
    places?.(copy, (holder, name) => {
      holder[name] = uriFor(prefix, holder[name] as string)
      return false
    })
    foreignMembers(method, copy, domains).forEach(replace)
    return copy
  })
}

/** Calls `see` with each object that has a URI, and with its member. Stops and returns true when `see` returns true. */
type UriPlaces = (result: unknown, see: (holder: Record<string, JsonValue>, name: string) => boolean) => boolean

const uriPlaces: ReadonlyMap<string, UriPlaces> = new Map<string, UriPlaces>([
  [
    methods.toolsCall,
    (result, see) => inContent(memberOf(result, 'content'), see) || viewNames(memberOf(result, '_meta'), see),
  ],
  [
    methods.resourcesRead,
    (result, see) => {
      const contents = memberOf(result, 'contents')
      return Array.isArray(contents) && contents.some((item) => holdsUri(item) && see(item, 'uri'))
    },
  ],
  [
    methods.promptsGet,
    (result, see) => {
      const messages = memberOf(result, 'messages')
      return Array.isArray(messages) && messages.some((message) => inContent(memberOf(message, 'content'), see))
    },
  ],
])

/** Content blocks with URIs are resource links and embedded resources. A prompt's content may be a single block. */
function inContent(content: unknown, see: Parameters<UriPlaces>[1]): boolean {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.some((block) => {
    const type = memberOf(block, 'type')
    const holder = type === 'resource_link' ? block : type === 'resource' ? memberOf(block, 'resource') : undefined
    return holdsUri(holder) && see(holder, 'uri')
  })
}

function holdsUri(value: unknown): value is Record<string, JsonValue> {
  return isJsonObject(value) && typeof value['uri'] === 'string'
}
