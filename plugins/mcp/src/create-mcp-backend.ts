import type { Backend, Log, Emit } from '@junctor/plugin-sdk/link'
import type { Guard } from '@junctor/transport-stdio/back'
import { createCommandBackend } from './command-backend.ts'
import type { CommandConfig, UrlConfig } from './config.ts'
import type { GatewayAccess } from './credentials/create-credentials.ts'

/** How a connection to an MCP server becomes a backend. */
export interface McpBackendOptions {
  /** The backend's name: in logs and errors. */
  readonly name: string
  /** A program to run, or a server to call. */
  readonly config: CommandConfig | UrlConfig
  /** Where relative paths in the configuration start; absolute. */
  readonly folder: string
  readonly log: Log
  /** Called with the server's output that cannot be used. */
  readonly emit: Emit
  /** Ends the programs when this process can no longer do so. */
  readonly guard: Pick<Guard, 'child'>
  /** What tokens of people need. Absent: they cannot be configured. */
  readonly gateway?: GatewayAccess | undefined
}

/**
 * A backend that is an MCP server of any revision. Rejects with the JunctorError `CONFIG_INVALID` for a URL or header that
 * cannot be used.
 */
export async function createMcpBackend({ config, ...options }: McpBackendOptions): Promise<Backend> {
  if ('command' in config) return createCommandBackend({ ...options, config })
  // The clients for HTTP and WebSockets are loaded only when they are needed.
  const create = /^wss?:/i.test(config.url)
    ? (await import('./web-socket-backend.ts')).createWebSocketBackend
    : (await import('./url-backend.ts')).createUrlBackend
  return create({ ...options, config })
}
