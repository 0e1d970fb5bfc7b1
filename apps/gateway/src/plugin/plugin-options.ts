import type { JsonObject } from '@junctor/jsonrpc'

/** The options of a backend, and the folder where their relative paths start. */
export interface PluginOptions {
  readonly options: JsonObject
  readonly folder: string
}
