import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'

/** The words under which other programs keep servers in their files. */
export type ForeignSection = 'mcpServers' | 'servers'

/**
 * Returns the sections of a file that belong to another program: `mcpServers` of Claude Desktop, Cursor and most
 * others, `servers` of VS Code. `servers` counts only when all its members are servers, because it may also be a typing
 * error of our own `server`.
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
