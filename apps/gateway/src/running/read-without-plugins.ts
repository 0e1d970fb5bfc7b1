import {
  type ConfigurablePlugin,
  type LoadedPlugins,
  namedPlugins,
  parseConfig,
  type ParsedConfig,
  readConfigText,
} from '@junctor/config'
import { z } from 'zod'
import { plugins } from '../plugins.ts'

/**
 * Reads a configuration without loading its plugins, for commands that only look for a running gateway: the options of
 * backends with plugins that are not built in are not checked.
 */
export function readWithoutPlugins(file: string, env: NodeJS.ProcessEnv): ParsedConfig {
  const read = readConfigText(file)
  if (read.kind === 'invalid') return read
  const options = { file, plugins, env }
  const { inNode, isolated } = namedPlugins(read.text, options)
  return parseConfig<ConfigurablePlugin>(read.text, {
    ...options,
    loaded: placeholders(inNode),
    isolated: placeholders(isolated),
  })
}

function placeholders(names: readonly string[]): LoadedPlugins {
  return new Map(names.map((name) => [name, { kind: 'loaded', plugin: { name, key: 'plugin', config: z.unknown() } }]))
}
