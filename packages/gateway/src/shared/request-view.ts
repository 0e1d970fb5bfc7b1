import type { CallContext, View } from '@junctor/exchange'
import { isJsonObject, type JsonObject, type JsonValue, memberOf, type Request, wantsStream } from '@junctor/jsonrpc'
import { eraOf, metaKeys, noExtensions, type Profile } from '@junctor/protocol'

/** `params._meta` of a request. */
export function metaOf(request: Request): JsonObject | undefined {
  const meta = memberOf(request.params?.value(), '_meta')
  return meta !== undefined && isJsonObject(meta) ? meta : undefined
}

/** How the response to a request looks to its client. */
export function requestView(
  request: Request,
  meta: JsonObject | undefined,
  context: CallContext,
  profile: Profile,
): View {
  return {
    id: request.id,
    method: request.method,
    revision: context.revision,
    dialect: request.dialect,
    profile,
    asks: eraOf(context.revision) === 'modern' ? 'none' : 'live',
    progressToken: meta === undefined ? undefined : progressTokenOf(meta),
    stream: request.options !== undefined && wantsStream(request),
    extensions: context.extensions ?? noExtensions,
  }
}

/** The longest progress token, in characters: as long as an id. Each update of the progress repeats it. */
const longestToken = 256

/**
 * `params._meta.progressToken`, a string or a number. `undefined`: the client requests no progress, or with a token that is
 * too long: nobody has to send progress (Progress).
 */
function progressTokenOf(meta: JsonObject): JsonValue | undefined {
  const token = meta[metaKeys.progressToken]
  if (typeof token === 'string') return token.length <= longestToken ? token : undefined
  return typeof token === 'number' ? token : undefined
}
