import type { CallContext, Delivery, View } from '@junctor/exchange'
import type { JsonObject, JsonValue, Request } from '@junctor/jsonrpc'
import { isJsonObject, wantsStream } from '@junctor/jsonrpc'
import type { Profile } from '@junctor/protocol'
import { metaKeys, noExtensions } from '@junctor/protocol'

/** `params._meta` of a request. */
export function metaOf(request: Request): JsonObject | undefined {
  const params = request.params?.value()
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) ? meta : undefined
}

/** How a request's answer looks to its client. */
export function requestView(
  request: Request,
  meta: JsonObject | undefined,
  context: CallContext,
  profile: Profile,
  delivery: Delivery,
): View {
  return {
    id: request.id,
    method: request.method,
    revision: context.revision,
    dialect: request.dialect,
    delivery,
    profile,
    asks: 'live',
    progressToken: progressTokenOf(meta),
    stream: wantsStream(request),
    extensions: context.extensions ?? noExtensions,
    logLevel: undefined,
  }
}

/** Whether progress of a request reaches its client: asked for with a token, negotiated, or told unasked. */
export function wantsProgress({ progressToken, profile, dialect, extensions }: View): boolean {
  return (
    progressToken !== undefined || profile.unaskedProgress || (dialect === '3.0' && extensions.includes('progress'))
  )
}

/** `params._meta.progressToken`, a string or an integer; anything else asks for no progress (Progress). */
function progressTokenOf(meta: JsonObject | undefined): JsonValue | undefined {
  const token = meta?.[metaKeys.progressToken]
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}
