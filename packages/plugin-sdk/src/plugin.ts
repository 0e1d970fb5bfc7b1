import type { StoredMembers } from './stored-members.ts'
import type { Backend, CallerToken, Emit, Log, ProcessGuard, Seal, Store, TokenOwner } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import type { output } from 'zod'
import type { AccountSource, OfferAccounts } from './account-source.ts'
import type { PluginCounter } from './plugin-counter.ts'
import type { GatewaySite } from './gateway-site.ts'
import type { HttpPages } from './http-pages.ts'
import type { TokenIssuer } from './token-issuer.ts'
import type { ZodSchema } from './schema/zod-schema.ts'

/** What the gateway gives a plugin for one configured backend. */
export interface PluginContext {
  /** The backend's name in the configuration: the name that the created backend must have. */
  readonly name: string
  /** A log whose messages carry the backend's name. */
  readonly log: Log
  /** Reports events for the metrics and the event log, for example data that a link discards. */
  readonly emit: Emit
  readonly site: GatewaySite
  /**
   * Serves pages at every gateway of the cluster, as long as the backend is configured. Call it while the backend is made.
   *
   * @throws Error when the plugin runs in a process of its own
   */
  readonly servePages: (pages: HttpPages) => void
  /**
   * Issues tokens for this gateway: `auth.server` of the configuration names the backend. Call it while the backend is made.
   *
   * @throws Error when the plugin runs in a process of its own
   */
  readonly issueTokens: (issuer: TokenIssuer) => void
  /**
   * Shows the accounts of people at the server of this backend on the page where each person sees and ends all of theirs
   * (`/connections/-/`). Call it while the backend is made. Returns how to make links to that page.
   *
   * @throws Error when the plugin runs in a process of its own
   */
  readonly showAccounts: (accounts: AccountSource) => OfferAccounts
  /** The folder of the configuration file, absolute: relative paths in options start here. */
  readonly folder: string
  readonly processes: ProcessGuard
  /**
   * Small JSON records that survive this process and are shared by all nodes. Each record expires `ttlMs` milliseconds
   * after its last put. Names belong to the backend: no other backend sees these records. Tenants are not kept apart:
   * put the tenant in the key.
   */
  store<T extends JsonValue | StoredMembers<T>>(name: string, ttlMs: number): Store<T>
  /**
   * Seals data for the store or for the hands of people. Only this backend can open it, at any node of the cluster.
   *
   * Its functions throw an Error when the plugin runs in a process of its own
   */
  readonly seal: Seal
  /**
   * Opens the access token of a caller: `Scope.callerToken`, or `callerToken` of a request's context. Only backends that say
   * that they take it (`Backend.takesCallerToken`) get one. It is for the token endpoint of an authorization server that the
   * operator has named, and for no other party. `undefined`: it is not the token of this owner.
   *
   * @throws Error when the plugin runs in a process of its own
   */
  readonly openCallerToken: (owner: TokenOwner, sealed: string) => CallerToken | undefined
  /**
   * A counter in the metrics of this node: `junctor_plugin_counts_total` with the labels `backend`, `counter` and `value`.
   * The first hundred counters of a backend have their own series.
   *
   * @param name a to z, 0 to 9 and _, at most 64, a letter first
   * @throws Error when the name cannot be used
   */
  readonly counter: (name: string) => PluginCounter
}

/**
 * The version of the contract between Junctor and plugins. It is raised when plugins that were made for the earlier
 * version would no longer work.
 */
export const pluginContract = 1

/** A kind of backend that the gateway can be configured with. Made by {@link definePlugin}. */
export interface Plugin<Config extends ZodSchema = ZodSchema> extends PluginDefinition<Config> {
  /** The {@link pluginContract} that it was made for. A gateway recognises plugins by it. */
  readonly contract: number
}

/** What the author of a plugin writes. */
export interface PluginDefinition<Config extends ZodSchema = ZodSchema> {
  /** The name of its package. */
  readonly name: string
  /**
   * The words in a backend's configuration that select this plugin: `url` in `{ url: https://… }`. A plugin without its
   * own word has `plugin`, and is selected by its name: `{ plugin: "@acme/weather" }`.
   */
  readonly key: string | readonly string[]
  /**
   * The schema of the backend's options, including the words of `key` (except `plugin`). The gateway has already
   * removed the options that every backend may have (prefix, timeout, isolation…). Defaults are those of the schema. An
   * option with `.meta({ writeOnly: true })` is a secret: its value is never shown, in messages about the configuration,
   * `check --show`, the log, status and events.
   */
  readonly config: Config
  /**
   * Whether a backend with these options uses nothing of the node's machine: no program, no file, no code. Only such
   * backends can be added at the admin port while a node runs. Default: no backend of this plugin.
   */
  isRemote?(config: output<Config>): boolean
  /** Makes the backend. Called once for each configured backend, and again when its configuration has changed. */
  create(config: output<Config>, context: PluginContext): Backend | Promise<Backend>
}

/** Defines a plugin. The type of `config` gives `create` the type of its first parameter. */
export function definePlugin<Config extends ZodSchema>(plugin: PluginDefinition<Config>): Plugin<Config> {
  return { ...plugin, contract: pluginContract }
}
