import type { Client, Tool } from '@modelcontextprotocol/client'

/** All tools of a server. One that declares none is not asked: the SDK then writes a line on standard output. */
export async function listedTools(client: Client, signal: AbortSignal): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  return (await client.listTools(undefined, { signal })).tools
}
