import { isJsonObject, type JsonObject, memberOf, type Payload } from '@junctor/plugin-sdk/link'

/** The `_meta` of params. Undefined: they have none that is an object. */
export function metaOf(params: Payload | undefined): JsonObject | undefined {
  const meta = memberOf(params?.value(), '_meta')
  return isJsonObject(meta) ? meta : undefined
}
