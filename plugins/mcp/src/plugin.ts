import { definePlugin, type Plugin } from '@junctor/plugin-sdk/link'
import { config } from './config.ts'
import { createMcpBackend } from './create-mcp-backend.ts'

/**
 * `{ command: python, args: [-m, my_server] }` or `{ url: https://mcp.example.com/mcp }`, `wss:` too: MCP servers as
 * backends.
 */
export const mcpPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-mcp',
  key: ['command', 'url'],
  config,
  isRemote: (options) => 'url' in options,
  create: (options, { name, folder, log, emit, processes, ...gateway }) =>
    createMcpBackend({ name, config: options, folder, log, emit, guard: processes, gateway }),
})
