import { authServerPlugin } from '@junctor/plugin-auth-server'
import { demoPlugin } from '@junctor/plugin-demo'
import { httpToolsPlugin } from '@junctor/plugin-http-tools'
import { mcpPlugin } from '@junctor/plugin-mcp'
import { openApiPlugin } from '@junctor/plugin-openapi'
import type { Plugin } from '@junctor/plugin-sdk'
import { wasmPlugin } from '@junctor/plugin-wasm'

/** The plugins that this command is built with. */
export const plugins: readonly Plugin[] = [
  mcpPlugin,
  openApiPlugin,
  httpToolsPlugin,
  wasmPlugin,
  authServerPlugin,
  demoPlugin,
]
