import { join } from 'node:path'
import { parseConfig } from '@junctor/config'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createNode, type NodeConfig } from '@junctor/node'
import { authServerPlugin } from '@junctor/plugin-auth-server'
import { demoPlugin } from '@junctor/plugin-demo'
import { mcpPlugin } from '@junctor/plugin-mcp'
import type { Plugin } from '@junctor/plugin-sdk'

/** A gateway in this process. */
export interface Gateway {
  /** The URL of its MCP endpoint. */
  readonly endpoint: string
  close(): Promise<void>
}

const plugins = [mcpPlugin, demoPlugin, authServerPlugin] as readonly Plugin[]

/**
 * Starts a gateway on a free port. `backends` is that part of its configuration; it may have MCP servers, the demo and a
 * login server.
 *
 * @param more other sections of the configuration
 */
export async function startGateway(backends: Readonly<Record<string, object>>, more: object = {}): Promise<Gateway> {
  const node = await createNode({
    config: read({ listen: { http: { port: 0 } }, backends, ...more }),
    fabric: createMemoryFabric(createMemoryBus()),
  })
  const { http } = await node.listen()
  return { endpoint: new URL('/mcp', http.url).href, close: () => node.close() }
}

function read(content: object): NodeConfig {
  const file = join(import.meta.dirname, 'junctor.json')
  const parsed = parseConfig(JSON.stringify(content), { file, plugins, env: {} })
  if (parsed.kind === 'valid') return parsed.config
  throw new Error(`Expected a valid configuration, got ${JSON.stringify(parsed.problems)}`)
}
