import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'

/** Where the servers stand in files of other programs. */
export type ForeignSection = 'mcpServers' | 'servers'

/**
 * The sections of a file that are another program's: `mcpServers` of Claude Desktop, Cursor and most others, `servers` of
 * VS Code. The latter only when all in it can be nothing but servers: it may be a slip of our own `server` as well.
 */
export function foreignSections(file: JsonObject): readonly ForeignSection[] {
  const { mcpServers, servers } = file
  return [
    ...(mcpServers === undefined ? [] : (['mcpServers'] as const)),
    ...(isJsonObject(servers) && Object.values(servers).every(isServer) ? (['servers'] as const) : []),
  ]
}

function isServer(value: unknown): boolean {
  return isJsonObject(value) && (Object.hasOwn(value, 'command') || Object.hasOwn(value, 'url'))
}
