import type { Progress } from '@junctor/exchange'
import { isJsonObject, memberOf } from '@junctor/jsonrpc'
import { metaKeys } from '@junctor/protocol'

/** A backend's progress in the form for its caller: without the id of the backend's own task, which clients do not know. */
export function mapProgress(update: Progress): Progress {
  const { more } = update
  const meta = memberOf(more, '_meta')
  if (more === undefined || !isJsonObject(meta) || !(metaKeys.relatedTask in meta)) return update
  const { [metaKeys.relatedTask]: _, ...rest } = meta
  return { ...update, more: { ...more, _meta: rest } }
}
