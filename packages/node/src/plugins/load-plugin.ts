import { sep } from 'node:path'
import type { LoadedPlugin } from '@junctor/config'
import type { Plugin } from '@junctor/plugin-sdk'
import { type ImportedModule, importPlugin, loadFault } from './import-plugin.ts'
import { type RecognisedPlugin, recognisePlugin } from './recognise-plugin.ts'
import { resolvePlugin } from './resolve-plugin.ts'
import { readSourceGraph } from './source-graph.ts'

/**
 * Loads the plugin that a backend names: see `resolvePlugin`, `importPlugin`, `recognisePlugin`. Never rejects.
 *
 * @param folder the folder of the configuration file, absolute
 */
export async function loadPlugin(reference: string, folder: string): Promise<LoadedPlugin<Plugin>> {
  const module = resolvePlugin(reference, folder)
  if (module.kind === 'failed') return module
  const { file, packageName } = module
  const isInstalled = file.split(sep).includes('node_modules')
  const graph = isInstalled ? undefined : await readSourceGraph(file)
  const imported = await importPlugin(file, graph)
  const found = imported.kind === 'failed' ? imported : recognise(file, imported.exports, packageName)
  const loaded = found.kind === 'failed' ? found : ({ kind: 'loaded', plugin: found.plugin } as const)
  return graph === undefined ? loaded : { ...loaded, files: graph.files }
}

/** Exports may be objects that throw when they are read. */
function recognise(
  file: string,
  exports: ImportedModule['exports'],
  packageName: string | undefined,
): RecognisedPlugin {
  try {
    return recognisePlugin(exports, packageName)
  } catch (error) {
    return loadFault(file, error)
  }
}
