import { isJsonObject, type JsonObject, memberOf } from '@junctor/jsonrpc'

/** Whether capabilities declare the one at a path: `['sampling', 'tools']` is `sampling.tools`. */
export function declares(capabilities: JsonObject, path: readonly string[]): boolean {
  let at: unknown = capabilities
  for (const member of path) at = memberOf(at, member)
  return isJsonObject(at)
}
