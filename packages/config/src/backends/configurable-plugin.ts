import type * as z from 'zod'

/** The parts of a plugin that the configuration needs. Every plugin made with `definePlugin` has them. */
export interface ConfigurablePlugin {
  /** The name of its package. */
  readonly name: string
  /** The words that select the plugin in a backend. The word `plugin` selects it by name. */
  readonly key: string | readonly string[]
  /** The schema of the backend's options, without the options that every backend has and without `plugin`. */
  readonly config: z.core.$ZodType
  /**
   * Whether a backend with these options, as `config` returns them, uses nothing of the node's machine: no program, no
   * file, no code. Only such backends can be added while a node runs. Default: none.
   */
  isRemote?(options: unknown): boolean
  /** Names code that is loaded in another process: plugins with the same value are the same. */
  readonly code?: string
}
