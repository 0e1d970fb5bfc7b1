import type { OrdinaryEvent } from '@junctor/exchange'
import { isJsonObject, type JsonObject, memberOf } from '@junctor/jsonrpc'
import { metaKeys } from '@junctor/protocol'
import { relatedTo } from '../../shared/related-task.ts'

/**
 * An event of a task as its client gets it: progress and notifications name the task. They come on the stream of the
 * session, where those of several tasks meet (2025-11-25, Tasks, "Related Task Metadata"). Questions are named where they
 * are asked.
 */
export function eventOfTask(event: OrdinaryEvent, taskId: string): OrdinaryEvent {
  if (event.kind === 'notification') {
    const { method, params } = event.notification
    return { kind: 'notification', notification: { method, params: relatedTo(params, taskId) } }
  }
  if (event.kind !== 'progress') return event
  const { more = {} } = event.progress
  const _meta: JsonObject = { ...metaOf(more), [metaKeys.relatedTask]: { taskId } }
  return { kind: 'progress', progress: { ...event.progress, more: { ...more, _meta } } }
}

function metaOf(more: JsonObject): JsonObject {
  const meta = memberOf(more, '_meta')
  return isJsonObject(meta) ? meta : {}
}
