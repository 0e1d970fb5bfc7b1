import type * as z from 'zod'

/** What the configuration needs to know of a plugin. Every plugin made with `definePlugin` is one. */
export interface ConfigurablePlugin {
  /** The name of its package. */
  readonly name: string
  /** The words that select it in a backend. The word `plugin` selects by name. */
  readonly key: string | readonly string[]
  /** The backend's options, without those that every backend has and without `plugin`. */
  readonly config: z.core.$ZodType
}
