import type { LoadedPlugins } from '@junctor/config'
import { silentLog } from '@junctor/contracts'
import type { Plugin } from '@junctor/plugin-sdk'
import { createGuard } from '@junctor/transport-stdio/back'
import { openIsolatedPlugins } from './isolated-plugins.ts'

/**
 * Parses a configuration with plugins that are loaded in processes of their own. A parse is synchronous and the check of
 * options in another process is not: so a first parse meets the options, their processes check them, and a second parse
 * has the results. The processes end before this resolves.
 *
 * @param folder the folder of the configuration file, absolute
 */
export async function withIsolatedPlugins<Parsed>(
  references: readonly string[],
  folder: string,
  parse: (isolated: LoadedPlugins<Plugin>) => Parsed,
): Promise<Parsed> {
  // There is no node yet while the file is read, and so no guard of a node.
  const guard = createGuard(silentLog)
  try {
    const plugins = await openIsolatedPlugins(references, folder, guard)
    try {
      const met = parse(plugins.loaded)
      return (await plugins.check()) ? parse(plugins.loaded) : met
    } finally {
      await plugins.close()
    }
  } finally {
    await guard.close()
  }
}
