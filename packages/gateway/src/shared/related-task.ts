import { edit, isJsonObject, member, memberOf, type Payload, payloadOf } from '@junctor/jsonrpc'
import { metaKeys } from '@junctor/protocol'

/** Adds to params or a result the id of the task that they belong to (2025-11-25, Tasks, "Related Task Metadata"). */
export function relatedTo(payload: Payload | undefined, taskId: string): Payload {
  const value = payload ?? payloadOf({})
  const meta = member(value, '_meta') ?? payloadOf({})
  return edit(value, { _meta: edit(meta, { [metaKeys.relatedTask]: { taskId } }) })
}

/** Removes the related task from params or a result: a backend's own task ids mean nothing to clients. */
export function unrelated(payload: Payload): Payload {
  const known = memberOf(payload.value(), '_meta')
  const meta = isJsonObject(known) && metaKeys.relatedTask in known ? member(payload, '_meta') : undefined
  if (meta === undefined) return payload
  return edit(payload, { _meta: edit(meta, { [metaKeys.relatedTask]: undefined }) })
}
