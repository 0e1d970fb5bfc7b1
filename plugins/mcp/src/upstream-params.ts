import type { ServerInfo } from '@junctor/exchange'
import { edit, isJsonObject, type JsonObject, member, type Payload, payloadOf } from '@junctor/jsonrpc'
import { declares, metaKeys } from '@junctor/protocol'

/**
 * The params of a call as an upstream is to get them. Everything that is not the link's own passes as it came.
 *
 * - A progress token is this link's number, or there is none: a client's token means nothing upstream, and might be the
 *   number of another call.
 * - A `task` goes only to a server that has tasks; one that has none runs the call as an ordinary one (2025-11-25,
 *   "Tasks", "Capabilities").
 *
 * @param token undefined when nobody wants to hear of progress
 */
export function upstreamParams(
  params: Payload | undefined,
  token: number | undefined,
  server: ServerInfo,
): Payload | undefined {
  const value = params?.value()
  const known: JsonObject = isJsonObject(value) ? value : {}
  const meta = known['_meta']
  const carriesToken = isJsonObject(meta) && meta[metaKeys.progressToken] !== undefined
  const dropsTask = known['task'] !== undefined && !declares(server.capabilities, ['tasks'])
  if (token === undefined && !carriesToken && !dropsTask) return params
  const given = params ?? payloadOf({})
  const withoutTask = dropsTask ? edit(given, { task: undefined }) : given
  if (token === undefined && !carriesToken) return withoutTask
  return edit(withoutTask, { _meta: withToken(isJsonObject(meta) ? member(given, '_meta') : undefined, token) })
}

function withToken(meta: Payload | undefined, token: number | undefined): Payload {
  return edit(meta ?? payloadOf({}), { [metaKeys.progressToken]: token })
}
