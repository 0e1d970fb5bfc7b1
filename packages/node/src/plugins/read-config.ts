import { dirname, resolve } from 'node:path'
import { namedPlugins, parseConfig, type ParseOptions, readConfigText } from '@junctor/config'
import type { Plugin } from '@junctor/plugin-sdk'
import type { ParsedNodeConfig } from '../node-config.ts'

/**
 * Reads a configuration file, and loads the plugins that it names: code of this file's author runs, in this process unless
 * the file gives it another. A plugin that cannot be loaded is a problem at the line that names it. Never rejects.
 */
export async function readConfig(
  file: string,
  options: Pick<ParseOptions<Plugin>, 'plugins' | 'env'>,
): Promise<ParsedNodeConfig> {
  const read = readConfigText(file)
  if (read.kind === 'invalid') return read
  const { text } = read
  const folder = dirname(resolve(file))
  const parse = { ...options, file }
  const { inNode, isolated } = namedPlugins(text, parse)
  if (inNode.length + isolated.length === 0) return parseConfig(text, parse)
  // Most configurations name no plugin, and start faster without the code that loads them.
  const { loadPlugin } = await import('./load-plugin.ts')
  const loading = inNode.map(async (reference) => [reference, await loadPlugin(reference, folder)] as const)
  const loaded = new Map(await Promise.all(loading))
  if (isolated.length === 0) return parseConfig(text, { ...parse, loaded })
  const { withIsolatedPlugins } = await import('./isolated/with-isolated-plugins.ts')
  return withIsolatedPlugins(isolated, folder, (plugins) => parseConfig(text, { ...parse, loaded, isolated: plugins }))
}
