import type { Progress } from '@junctor/exchange'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { unrelated } from '../../shared/related-task.ts'

/** A backend's progress in the form for its caller: without the id of the backend's own task, which clients do not know. */
export function mapProgress(update: Progress): Progress {
  if (update.more === undefined) return update
  const more = payloadOf(update.more)
  const kept = unrelated(more)
  return kept === more ? update : { ...update, more: kept.value() as JsonObject }
}
