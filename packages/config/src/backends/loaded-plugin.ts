import type { Finding } from '../problem.ts'
import type { ConfigurablePlugin } from './configurable-plugin.ts'

/** The result of loading what a backend's `plugin` names. */
export type LoadedPlugin<Plugin extends ConfigurablePlugin = ConfigurablePlugin> = (
  | { readonly kind: 'loaded'; readonly plugin: Plugin }
  | ({ readonly kind: 'failed' } & Pick<Finding, 'got' | 'expected' | 'next'>)
) & {
  /**
   * The files from which it must be loaded again when one has changed, absolute. Absent: a package, which does not
   * change.
   */
  readonly files?: readonly string[]
}

/** Loaded plugins, by the word that names them in the file, with references replaced. */
export type LoadedPlugins<Plugin extends ConfigurablePlugin = ConfigurablePlugin> = ReadonlyMap<
  string,
  LoadedPlugin<Plugin>
>
