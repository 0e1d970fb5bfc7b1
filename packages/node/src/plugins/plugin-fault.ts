/** Why a backend's `plugin` cannot be used, in the words of a configuration problem. */
export interface PluginFault {
  readonly kind: 'failed'
  readonly got: string
  readonly expected: string
  /** What to do. */
  readonly next: string
}

/** Creates a fault of loading. */
export function pluginFault(got: string, expected: string, next: string): PluginFault {
  return { kind: 'failed', got, expected, next }
}

/** Creates a fault of the check of options. */
export function schemaFault(got: string): PluginFault {
  return pluginFault(got, 'a schema that works', 'Give the plugin a schema of zod 4 without asynchronous checks.')
}
