import type { JsonValue, Payload } from '@junctor/jsonrpc'
import { isJsonObject, mayHave, rewrite } from '@junctor/jsonrpc'
import { methods, uriFor } from '@junctor/protocol'

/**
 * A backend's result with public resource URIs. Results without URIs, and results of backends without a prefix, are
 * unchanged.
 */
export function mapResult(method: string, prefix: string, result: Payload): Payload {
  if (prefix === '' || !mayHave(result, 'uri')) return result
  const places = uriPlaces.get(method)
  if (places === undefined || !places(result.value(), () => true)) return result
  return rewrite(result, (value) => {
    places(value, (holder) => {
      holder['uri'] = uriFor(prefix, holder['uri'] as string)
      return false
    })
    return value
  })
}

/** Calls `see` with each object that has a URI in `uri`. Stops and returns true when `see` returns true. */
type UriPlaces = (result: unknown, see: (holder: Record<string, JsonValue>) => boolean) => boolean

const uriPlaces: ReadonlyMap<string, UriPlaces> = new Map<string, UriPlaces>([
  [methods.toolsCall, (result, see) => inContent(memberOf(result, 'content'), see)],
  [
    methods.resourcesRead,
    (result, see) => {
      const contents = memberOf(result, 'contents')
      return Array.isArray(contents) && contents.some((item) => holdsUri(item) && see(item))
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
function inContent(content: unknown, see: (holder: Record<string, JsonValue>) => boolean): boolean {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.some((block) => {
    const type = memberOf(block, 'type')
    const holder = type === 'resource_link' ? block : type === 'resource' ? memberOf(block, 'resource') : undefined
    return holdsUri(holder) && see(holder)
  })
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined
}

function holdsUri(value: unknown): value is Record<string, JsonValue> {
  return isJsonObject(value) && typeof value['uri'] === 'string'
}
