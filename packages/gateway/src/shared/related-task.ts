import type { Payload } from '@junctor/jsonrpc'
import { edit, isJsonObject, member, payloadOf } from '@junctor/jsonrpc'
import { metaKeys } from '@junctor/protocol'

/** Params or a result that say which task they belong to (2025-11-25, Tasks, "Related Task Metadata"). */
export function relatedTo(payload: Payload | undefined, taskId: string): Payload {
  const given = payload ?? payloadOf({})
  const meta = member(given, '_meta') ?? payloadOf({})
  return edit(given, { _meta: edit(meta, { [metaKeys.relatedTask]: { taskId } }) })
}

/** The same without saying so: a backend's own ids of tasks mean nothing to clients. */
export function unrelated(payload: Payload): Payload {
  const value = payload.value()
  const known = isJsonObject(value) ? value['_meta'] : undefined
  const meta = isJsonObject(known) && metaKeys.relatedTask in known ? member(payload, '_meta') : undefined
  if (meta === undefined) return payload
  return edit(payload, { _meta: edit(meta, { [metaKeys.relatedTask]: undefined }) })
}
