import type { LoadedPlugin, LoadedPlugins } from '@junctor/config'
import type { Plugin } from '@junctor/plugin-sdk'
import { loadPlugin } from './load-plugin.ts'
import { watchLoading } from './loading-watch.ts'

/**
 * Loads plugins in this process, and names on standard error one whose module does not let the process go on. Never rejects.
 *
 * @param folder the folder of the configuration file, absolute
 */
export async function loadPlugins(references: readonly string[], folder: string): Promise<LoadedPlugins<Plugin>> {
  using watch = watchLoading(references)
  const loaded = new Map<string, LoadedPlugin<Plugin>>()
  for (const reference of references) {
    // One after the other: a module of CommonJS cannot require what another one is just importing, such as the SDK.
    // oxlint-disable-next-line no-await-in-loop
    loaded.set(reference, await loadPlugin(reference, folder))
    watch.loaded()
  }
  return loaded
}
