import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'

/** Whether capabilities declare the one at a path: `['sampling', 'tools']` is `sampling.tools`. */
export function declares(capabilities: JsonObject, path: readonly string[]): boolean {
  let at: unknown = capabilities
  for (const member of path) at = isJsonObject(at) ? at[member] : undefined
  return isJsonObject(at)
}
