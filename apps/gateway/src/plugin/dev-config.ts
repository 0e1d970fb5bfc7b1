import { resolve } from 'node:path'
import { findConfig } from '@junctor/config'
import { isFolder } from '../is-folder.ts'
import { madeConfig, type PluginConfig } from './made-config.ts'
import type { PluginOptions } from './plugin-options.ts'

/**
 * Finds or makes the configuration for trying a plugin: the `junctor.yaml` of its folder, else a new one with the plugin
 * as its only backend.
 *
 * @param path of the plugin: a file or a folder
 * @param folder the current folder
 * @param options the backend's options, for a configuration that is made
 */
export function devConfig(path: string, folder: string, options: PluginOptions | undefined): PluginConfig {
  const target = resolve(folder, path)
  const own = isFolder(target) && options === undefined ? findConfig(target) : undefined
  return own === undefined
    ? madeConfig({ path, folder, options })
    : { kind: 'config', file: own, folder: target, remove: () => {} }
}
