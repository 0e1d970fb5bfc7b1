import type { ProcessConfig } from '@junctor/config'
import type { Backend, Isolation } from '@junctor/contracts'
import type { Plugin, PluginContext } from '@junctor/plugin-sdk'

/** How the process of a backend is run. */
export interface IsolatedProcess extends ProcessConfig {
  /** Who shares the links. */
  readonly isolation: Isolation
}

/** A plugin whose code runs in processes of its own, never in this one. */
export interface IsolatedPlugin extends Plugin {
  /** Names its code: see `ConfigurablePlugin` of the configuration. */
  readonly code: string
  /** Makes the backend in its own process: see `createIsolatedBackend`. */
  createIn(process: IsolatedProcess, options: unknown, context: PluginContext): Promise<Backend>
}

/** Whether a plugin runs in a process of its own. */
export function isIsolated(plugin: Plugin): plugin is IsolatedPlugin {
  return 'createIn' in plugin
}
