import { isDeepStrictEqual } from 'node:util'
import type { ConfigurablePlugin } from './backends/configurable-plugin.ts'
import type { BackendConfig } from './config.ts'

/**
 * Whether two plugins are the same code: one object, or, for code that is not loaded in this process, one `code`.
 */
function samePlugin(one: ConfigurablePlugin, other: ConfigurablePlugin): boolean {
  return one === other || (one.code !== undefined && one.code === other.code)
}

/**
 * Whether two configurations of a backend are equal: the same plugin object, and equal data. Plugins are compared by
 * identity, because two versions of one module can look alike.
 */
export function sameBackend(one: BackendConfig, other: BackendConfig): boolean {
  return samePlugin(one.plugin, other.plugin) && isDeepStrictEqual({ ...one, plugin: '' }, { ...other, plugin: '' })
}
