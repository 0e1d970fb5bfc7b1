import type { Backend, Log, Store, Tell } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import type { output } from 'zod'
import type { ZodSchema } from './schema/zod-schema.ts'

/** One process group that a plugin starts, as its guard knows it. */
export interface GuardedChild {
  /** To be part of the child's environment: it marks all that the child starts, wherever that goes. */
  readonly environment: Readonly<Record<string, string>>
  /** The child runs, as leader of this process group. */
  started(group: number): void
  /** The group is empty. */
  ended(): void
}

/** Sees to it that the processes which plugins start do not outlive the gateway, however that ends. */
export interface ProcessGuard {
  /** To be called before a child is started. */
  child(): GuardedChild
}

/** What the gateway gives a plugin for one configured backend. */
export interface PluginContext {
  /** The backend's name in the configuration: the name that the created backend must have. */
  readonly name: string
  /** Its messages carry the backend's name. */
  readonly log: Log
  /** For what metrics and the event log are to know: links tell of what they throw away. */
  readonly tell: Tell
  /** The folder of the configuration file, absolute: relative paths in options start here. */
  readonly folder: string
  readonly processes: ProcessGuard
  /**
   * Small JSON records that survive this process and are shared by all nodes, each gone `ttlMs` after its last put.
   * Names are the backend's own: no other backend sees these records. Tenants are not kept apart: put them in the key.
   */
  store<T extends JsonValue>(name: string, ttlMs: number): Store<T>
}

/** A kind of backend that the gateway can be configured with. */
export interface Plugin<Config extends ZodSchema = ZodSchema> {
  /** The name of its package. */
  readonly name: string
  /**
   * The words in a backend's configuration that select this plugin: `url` in `{ url: https://… }`. A plugin without a
   * word of its own has `plugin`, and is selected by its name: `{ plugin: "@acme/weather" }`.
   */
  readonly key: string | readonly string[]
  /**
   * The backend's options as this plugin wants them, its words among them (except `plugin`). What every backend may
   * have (prefix, timeout, isolation…) is the gateway's, and has been taken out.
   */
  readonly config: Config
  /** Makes the backend. Called once for each configured backend, and again when its configuration changed. */
  create(config: output<Config>, context: PluginContext): Backend | Promise<Backend>
}

/** Defines a plugin. The type of `config` is what `create` is given. */
export function definePlugin<Config extends ZodSchema>(plugin: Plugin<Config>): Plugin<Config> {
  return plugin
}
