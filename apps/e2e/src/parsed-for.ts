import { parseConfig } from '@junctor/config'
import type { ParsedNodeConfig } from '@junctor/node'
import { authServerPlugin } from '@junctor/plugin-auth-server'
import { demoPlugin } from '@junctor/plugin-demo'
import { mcpPlugin } from '@junctor/plugin-mcp'
import { openApiPlugin } from '@junctor/plugin-openapi'
import type { Plugin } from '@junctor/plugin-sdk'
import { wasmPlugin } from '@junctor/plugin-wasm'

/** The plugins of all gateways under test. */
export const plugins: readonly Plugin[] = [
  mcpPlugin,
  openApiPlugin,
  wasmPlugin,
  authServerPlugin,
  demoPlugin,
] as readonly Plugin[]

/**
 * Parses a configuration as in its file. Relative paths start from its folder.
 *
 * @param folder absolute; default: that of this module
 */
export function parsedFor(
  content: object,
  more: readonly Plugin[] = [],
  folder: string = import.meta.dirname,
): ParsedNodeConfig {
  return parseConfig(JSON.stringify(content), {
    file: `${folder}/junctor.json`,
    plugins: [...plugins, ...more],
    env: process.env,
  })
}
