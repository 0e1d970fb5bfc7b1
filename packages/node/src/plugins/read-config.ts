import { dirname, resolve } from 'node:path'
import { namedPlugins, parseConfig, type ParseOptions, readConfigText } from '@junctor/config'
import { JunctorError } from '@junctor/protocol'
import type { Plugin } from '@junctor/plugin-sdk'
import type { ParsedNodeConfig } from '../node-config.ts'

/**
 * Reads a configuration file, and loads the plugins that it names: code of this file's author runs, in this process unless
 * the file gives it another. A plugin that cannot be loaded is a problem at the line that names it. Rejects with
 * `CONFIG_INVALID` only for `plugins` that `definePlugin` has not made: a program in JavaScript may pass anything.
 */
export async function readConfig(
  file: string,
  options: Pick<ParseOptions<Plugin>, 'plugins' | 'env' | 'folder'>,
): Promise<ParsedNodeConfig> {
  const wrong = options.plugins.findIndex((one: Partial<Plugin> | undefined) => one?.contract === undefined)
  if (wrong !== -1) {
    const expected = 'expected what definePlugin returns in "plugins"'
    throw new JunctorError('CONFIG_INVALID', `${expected}, got something else as plugins[${wrong}]`)
  }
  const read = readConfigText(file)
  if (read.kind === 'invalid') return read
  const { text } = read
  const folder = options.folder ?? dirname(resolve(file))
  const parse = { ...options, file, folder }
  const { inNode, isolated } = namedPlugins(text, parse)
  if (inNode.length + isolated.length === 0) return parseConfig(text, parse)
  // Most configurations name no plugin, and start faster without the code that loads them.
  const loaded =
    inNode.length === 0
      ? new Map<string, never>()
      : await (await import('./load-plugins.ts')).loadPlugins(inNode, folder)
  if (isolated.length === 0) return parseConfig(text, { ...parse, loaded })
  const { withIsolatedPlugins } = await import('./isolated/with-isolated-plugins.ts')
  return withIsolatedPlugins(isolated, folder, (plugins) => parseConfig(text, { ...parse, loaded, isolated: plugins }))
}
