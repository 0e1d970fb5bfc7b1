import {
  declares,
  edit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  member,
  metaKeys,
  type Payload,
  payloadOf,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'

/**
 * The params of a call for the upstream. Members that are not the link's own are passed on unchanged.
 *
 * - A progress token is a number of this link, or absent: a client's token means nothing upstream, and might equal the
 *   number of another call.
 * - A `task` is sent only to a server that has tasks; a server without tasks runs the call as an ordinary one
 *   (2025-11-25, "Tasks", "Capabilities").
 * - A request without a trace carries the one that the gateway has started for it (SEP-414).
 *
 * @param token undefined when the caller does not want progress
 * @param trace the `traceparent` of the request
 */
export function upstreamParams(
  params: Payload | undefined,
  token: number | undefined,
  server: ServerInfo,
  trace: string | undefined,
): Payload | undefined {
  const value = params?.value()
  const known: JsonObject = isJsonObject(value) ? value : {}
  const meta = isJsonObject(known['_meta']) ? known['_meta'] : undefined
  const added = changes(meta, token, trace)
  const dropsTask = known['task'] !== undefined && !declares(server.capabilities, ['tasks'])
  if (added === undefined && !dropsTask) return params
  const given = params ?? payloadOf({})
  const withoutTask = dropsTask ? edit(given, { task: undefined }) : given
  if (added === undefined) return withoutTask
  const kept = meta === undefined ? undefined : member(given, '_meta')
  return edit(withoutTask, { _meta: kept === undefined ? added : edit(kept, added) })
}

/** The members of `_meta` that must change; `undefined` when none must. */
function changes(
  meta: JsonObject | undefined,
  token: number | undefined,
  trace: string | undefined,
): JsonObject | undefined {
  const startsTrace = trace !== undefined && meta?.[metaKeys.traceparent] === undefined
  const setsToken = token !== undefined || meta?.[metaKeys.progressToken] !== undefined
  if (!startsTrace && !setsToken) return undefined
  const changed: Record<string, JsonValue | undefined> = {}
  if (setsToken) changed[metaKeys.progressToken] = token
  if (startsTrace) changed[metaKeys.traceparent] = trace
  return changed
}
