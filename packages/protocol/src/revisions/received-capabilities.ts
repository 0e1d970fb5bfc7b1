import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { mcpExtensions } from '../mcp-extensions.ts'

/** The extensions beside those of the gateway that pass between clients and backends: their identifiers, or all. */
export type PassedExtensions = 'all' | readonly string[]

/** The media types of views that hosts know: of MCP Apps, of its time before the release, and of ChatGPT. */
export const viewTypes: readonly string[] = ['text/html;profile=mcp-app', 'text/html+mcp', 'text/html+skybridge']

/**
 * The capabilities of a client, without the extensions that cannot reach a backend (SEP-2133): a backend must not learn of
 * them, because their messages would not arrive. Settings that are no object declare nothing. The settings of views are
 * reduced to known media types, because links and lists are kept for each set of capabilities: there must not be many.
 *
 * @param passed `all` at the endpoint of a single backend, whose extensions the client uses directly
 */
export function receivedCapabilities(capabilities: JsonObject, passed: PassedExtensions): JsonObject {
  const { extensions } = capabilities
  if (extensions === undefined) return capabilities
  const kept: [string, JsonObject][] = []
  for (const [id, settings] of Object.entries(isJsonObject(extensions) ? extensions : {})) {
    if (!isJsonObject(settings)) continue
    if (passed === 'all' || id === mcpExtensions.tasks || passed.includes(id)) kept.push([id, settings])
    else if (id === mcpExtensions.apps) kept.push([id, { mimeTypes: shownTypes(settings) }])
  }
  return { ...capabilities, extensions: Object.fromEntries(kept) }
}

function shownTypes({ mimeTypes }: JsonObject): string[] {
  return Array.isArray(mimeTypes) ? viewTypes.filter((type) => mimeTypes.includes(type)) : []
}
