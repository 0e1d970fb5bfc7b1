import { dirname, resolve } from 'node:path'
import { namedPlugins, parseConfig, type ParseOptions, readConfigText } from '@junctor/config'
import type { Plugin } from '@junctor/plugin-sdk'
import type { ParsedNodeConfig } from '../node-config.ts'

/**
 * Reads a configuration file, and loads the plugins that it names: code of this file's author runs. A plugin that cannot
 * be loaded is a problem at the line that names it. Never rejects.
 */
export async function readConfig(
  file: string,
  options: Pick<ParseOptions<Plugin>, 'plugins' | 'env'>,
): Promise<ParsedNodeConfig> {
  const read = readConfigText(file)
  if (read.kind === 'invalid') return read
  const { text } = read
  const folder = dirname(resolve(file))
  const references = namedPlugins(text, { ...options, file })
  if (references.length === 0) return parseConfig(text, { ...options, file })
  // Most configurations name no plugin, and start faster without the code that loads them.
  const { loadPlugin } = await import('./load-plugin.ts')
  const loaded = await Promise.all(
    references.map(async (reference) => [reference, await loadPlugin(reference, folder)] as const),
  )
  return parseConfig(text, { ...options, file, loaded: new Map(loaded) })
}
