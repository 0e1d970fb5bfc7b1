import type { Isolation } from '@junctor/contracts'
import type { ApprovedTools } from '@junctor/protocol'
import type { ConfigurablePlugin } from './backends/configurable-plugin.ts'
import type { LimitsConfig } from './limits-config.ts'

/** A checked configuration: plain data and plugins, with all defaults and replaced references. Times are milliseconds. */
export interface Config<Plugin extends ConfigurablePlugin = ConfigurablePlugin> {
  /** The folder of the file, absolute. Relative paths in backend options start from it. */
  readonly folder: string
  readonly listen: ListenConfig
  readonly fabric: FabricConfig
  readonly server: ServerConfig
  /** The public URL of this gateway, without a slash at its end. Absolute URLs are built from it. */
  readonly publicUrl: string | undefined
  /** The name of the profile for tenants without one, and for refusals where no tenant is known. */
  readonly profile: string
  /** The deadline of a call to which no backend's own `timeoutMs` applies. */
  readonly timeoutMs: number
  /** Which tools a person has approved, for backends that are added while the nodes run. */
  readonly pins: PinsConfig
  /** In the order of the file; `mcpServers` after `backends`. */
  readonly backends: readonly BackendConfig<Plugin>[]
  /** Whether clients see `gateway_status` and `get_events`. `undefined`: the tenant's profile decides. */
  readonly gatewayTools: boolean | undefined
  readonly events: EventsConfig
  readonly audit: AuditConfig
  /** At least one tenant. A file without tenants has `default`, with all backends. */
  readonly tenants: readonly TenantConfig[]
  readonly discovery: DiscoveryConfig
  readonly auth: AuthConfig
  readonly secrets: SecretsConfig
  readonly limits: LimitsConfig
}

/** The shared state of nodes: the memory of a single node, or NATS for several. */
export type FabricConfig = 'memory' | { readonly nats: NatsConfig }

/** `fabric.nats`: the NATS servers that join the nodes. */
export interface NatsConfig {
  /** Addresses: `nats://` or `tls://`, host and port. Further servers of the NATS cluster are discovered. */
  readonly servers: readonly string[]
  /** Default `junctor`. Nodes of one cluster see each other. Several clusters may share the NATS servers. */
  readonly cluster: string
  /**
   * The cluster keys. Nodes accept only data that is sealed with one of them. The first key seals, all keys open. At
   * least 32 characters each.
   */
  readonly key: readonly string[]
  /** The number of servers that store each entry. Default 1. */
  readonly replicas: number
  readonly user: string | undefined
  readonly password: string | undefined
  readonly token: string | undefined
  /** The seed of an nkey. */
  readonly nkey: string | undefined
  /** The text of a credentials file. */
  readonly credentials: string | undefined
  /** PEM texts. */
  readonly tls:
    | { readonly ca: string | undefined; readonly cert: string | undefined; readonly key: string | undefined }
    | undefined
}

/** The section `listen`: every way in. */
export interface ListenConfig {
  readonly http: HttpListenConfig
  /** Absent: no admin port. */
  readonly admin: AdminListenConfig | undefined
  /** Whether clients that connect through the fabric's NATS are served. Default false. */
  readonly nats: boolean
}

/** The port for the operator: probes, metrics, status, events. It is never the public port. */
export interface AdminListenConfig {
  /** Default `127.0.0.1`. */
  readonly host: string
  /** Default 3001; 0 lets the operating system choose a free one. */
  readonly port: number
  /** The bearer token for everything except probes and metrics. Absent: nothing else is served. */
  readonly token: string | undefined
  /** Allowed `Host` headers, besides those of this machine and of `host`. Default: none. */
  readonly allowedHosts: readonly string[]
}

/** `listen.http`: where clients connect over HTTP and WebSocket. */
export interface HttpListenConfig {
  /** Default `127.0.0.1`, so that other machines can only connect when it is configured. */
  readonly host: string
  /** Default 3000; 0 lets the operating system choose a free one. */
  readonly port: number
  /** Allowed `Host` headers, besides that of `publicUrl`. Empty: only localhost. */
  readonly allowedHosts: readonly string[]
  /** Allowed `Origin` headers. Empty: only localhost. */
  readonly allowedOrigins: readonly string[]
  /** Addresses and networks of reverse proxies whose `X-Forwarded-For` counts. Empty: it counts for no one. */
  readonly trustedProxies: readonly string[]
  /** Both in PEM. Absent: plain HTTP. */
  readonly tls: TlsConfig | undefined
}

/** Certificate and key of a listener, as PEM. */
export interface TlsConfig {
  readonly cert: string
  readonly key: string
  /** The file of the certificate, absolute. Absent: the configuration contains the certificate. */
  readonly file?: string
}

/** The `serverInfo` in the `initialize` result. */
export interface ServerConfig {
  /** Default `junctor`. */
  readonly name: string
  /** Default: the version of Junctor. */
  readonly version: string
}

/** How the event log is kept. */
export interface EventsConfig {
  /** The number of events of each tenant in memory; the oldest are removed first. Default 10000. */
  readonly keep: number
  /**
   * The absolute path of a file that events are appended to, one JSON object per line. Absent: events are only in
   * memory.
   */
  readonly file: string | undefined
  /** The size in bytes at which the file is set aside and a new one started. Absent: 100 MiB. */
  readonly rotateAt?: number | undefined
}

/** The audit log: sessions, refused callers, tool calls with their principal. */
export interface AuditConfig {
  /** The absolute path of the file that is appended to, one JSON object per line. Absent: no audit. */
  readonly file: string | undefined
  /** As for events. */
  readonly rotateAt?: number | undefined
  /** Whether calls are refused while the audit file cannot be written. */
  readonly required?: boolean | undefined
}

/** `workers`: nodes that hold backends and accept no clients; gateways call any worker that has the backend. */
export type RunsOn = 'gateways' | 'workers'

/** The bounds of a plugin's own process. */
export interface ProcessConfig {
  /** The memory that it may hold. Default 256 MiB. */
  readonly memoryBytes: number
}

/** One entry of `backends`. */
export interface BackendConfig<Plugin extends ConfigurablePlugin = ConfigurablePlugin> {
  readonly name: string
  /** The plugin that creates it. A plugin whose code has changed is another object. */
  readonly plugin: Plugin
  /** The word in the file that chose the plugin: `command`, `url`, `plugin`. */
  readonly word: string
  /** What the file names with the word `plugin`, with references replaced: a package or a path. Absent: another word. */
  readonly pluginReference?: string
  /** The options, parsed by the plugin's own schema. */
  readonly options: unknown
  /** The values in the options that must not be shown: those of references, and those that the plugin's schema marks. */
  readonly secrets: readonly string[]
  /**
   * The text before the separator in public names. Empty: names are not changed. `undefined`: the tenant's profile
   * decides.
   */
  readonly prefix: string | undefined
  /**
   * Default `session`; `tenant` for a backend chosen by `plugin`, `tool`, `openapi` or `wasm`, which distinguishes its
   * callers on one link.
   */
  readonly isolation: Isolation
  /** The process of its own that its plugin runs in. Absent: the plugin runs in the node. */
  readonly process?: ProcessConfig | undefined
  /** The deadline of one call, not counting requests to the client. Default: the file's `timeout`. */
  readonly timeoutMs: number
  /** How long a client may take to answer a request of this backend. Default one minute, because people answer. */
  readonly askTimeoutMs: number
  /** The nodes that hold its links. Default `gateways`: each gateway holds the links that it uses. */
  readonly runsOn: RunsOn
  /** The maximum number of open links (processes, connections) on each node that holds some. Default 256. */
  readonly maxLinks: number
  /** The most calls that it works on at the same time, from each node; others wait. `undefined`: any number. */
  readonly concurrency: number | undefined
  /** The most calls that wait for their turn, on each node. Default 100. */
  readonly queue: number
  /** Whether calls that were lost on their way are sent once more, if that is safe. Default true. */
  readonly retry: boolean
  /** A link that was unused for this long is closed. Default 5 minutes. */
  readonly idleMs: number
  /** What becomes of the origins of its views. Default: those that are made from the URL of a server are removed. */
  readonly appDomain: AppDomain | undefined
  /** The definitions of its tools that a person has approved. `undefined`: its tools are shown as they come. */
  readonly pins: ToolPinsConfig | undefined
  /** It was added while the nodes run, by an admin port, and is not in the file. */
  readonly added?: true
}

/** What happens to tools that are not approved, and the approved definitions by backend and tool. */
export interface PinsConfig {
  /** Default `off`: tools are shown as they come. `warn`: others are reported. `block`: clients do not see them. */
  readonly mode: 'off' | 'warn' | 'block'
  readonly approved: Readonly<Record<string, ApprovedTools>>
}

/** The approved tools of one backend. */
export interface ToolPinsConfig {
  readonly mode: 'warn' | 'block'
  readonly approved: ApprovedTools
}

/**
 * What becomes of the origins (`_meta.ui.domain`) of a backend's views. `drop` removes all, `keep` none. `recompute`: those
 * that are made from the URL of a server are made from that of the backend's own endpoint.
 */
export type AppDomain = 'drop' | 'keep' | 'recompute'

/**
 * Whether views may call tools by their backends' own names. `listed`: yes, and clients that show views find the tools
 * under these names too. `accepted`: yes, but the names are not listed. `refused`: no.
 */
export type BareNamesChoice = 'listed' | 'accepted' | 'refused'

/** One entry of `tenants`. */
export interface TenantConfig {
  readonly name: string
  /** The name of a profile. Default: the file's `profile`. */
  readonly profile: string
  /** The text between prefix and name. `undefined`: the profile's separator. */
  readonly separator: string | undefined
  /** The maximum length of a public name that has a prefix, in characters. Default 64. */
  readonly maxLength: number
  /** Whether requests to people name the backend that asks. Default true. */
  readonly askers: boolean
  /** Whether views (MCP Apps) may call tools by their backends' own names. Default `listed`. */
  readonly bareNames: BareNamesChoice
  /**
   * Identifiers of extensions that Junctor does not know, and that are declared between its clients and backends all the
   * same. Default: none.
   */
  readonly relayExtensions: readonly string[]
  /** Names of backends. */
  readonly backends: readonly string[]
  readonly tools: ToolsConfig
  /** By names of prompts. */
  readonly prompts: ToolsConfig
  /** By URIs of resources, templates and skills. */
  readonly resources: ToolsConfig
  /** The members whose tokens are accepted, besides tokens for this tenant only. `undefined`: no members. */
  readonly members: MembersConfig | undefined
  /** The rates of its calls. `undefined`: any number of calls. */
  readonly rates: RatesConfig | undefined
}

/** How many calls of a tenant reach backends, on all nodes together. */
export interface RatesConfig {
  /** Of all its callers together. `undefined`: any number. */
  readonly callsPerMinute: number | undefined
  /** Of each principal. `undefined`: any number. */
  readonly callsPerMinuteOfPrincipal: number | undefined
  /** Of all tools together that a pattern matches, by the pattern. Patterns are `backend:tool`. */
  readonly callsPerMinuteOfTools: Readonly<Record<string, number>>
  /** The calls of this many milliseconds may come at once. Default: 10 seconds. */
  readonly burstMs: number
}

/** A token belongs to a tenant when its claim is one of the values, or a list that contains one of them. */
export interface MembersConfig {
  readonly claim: string
  readonly values: readonly string[]
}

/** The tools of a tenant. Patterns are `backend:tool`; `*` matches any characters. */
export interface ToolsConfig {
  /** `undefined`: every tool of the tenant's backends. */
  readonly allow: readonly string[] | undefined
  /** Overrides `allow`. */
  readonly deny: readonly string[]
}

/** The section `discovery`: where clients find what belongs to authorization. */
export interface DiscoveryConfig {
  /** The paths of the gateway's own authorization server, if it has one. */
  readonly oauthPaths: {
    readonly authorize: string
    readonly token: string
    readonly register: string
    readonly revoke: string
    /** Of the metadata of the gateway as a protected resource. */
    readonly resource: string
  }
}

/** The section `auth`: how callers prove who they are. */
export interface AuthConfig {
  readonly apiKeys: readonly ApiKeyConfig[]
  /** Whether callers without credentials are accepted from everywhere. Default false. */
  readonly anonymous: boolean
  /** The issuer whose signed tokens are accepted. */
  readonly issuer: IssuerConfig | undefined
  /** A backend of this gateway that issues the tokens instead of another issuer. */
  readonly server?: TokenServerConfig | undefined
}

/** `auth.server` and what belongs to it. */
export interface TokenServerConfig {
  /** The name of the backend. */
  readonly backend: string
  /** The scopes that every token must have. Default: none. */
  readonly scopes: readonly string[]
  /** As those of an issuer. */
  readonly toolScopes: Readonly<Record<string, readonly string[]>>
}

/** Where the issuer says what a token is that only it can read, and how the gateway asks (RFC 7662). */
export interface IntrospectionConfig {
  readonly url: string
  /** The gateway, as the issuer knows it. */
  readonly clientId: string
  readonly clientSecret: string
  /** How long an answer is used, in milliseconds: so long a revoked token still works. Default: 500. */
  readonly reuseMs: number
  /** Whether the issuer is asked about signed tokens too. Default: false. */
  readonly signed: boolean
}

/** `auth.issuer`: an authorization server, described by OpenID Connect Discovery, by RFC 8414, or only by its keys. */
export interface IssuerConfig {
  /** The required value of `iss`, compared exactly. */
  readonly issuer: string
  /** The accepted values of `aud`. `<audience>/<tenant>` is a token for that tenant only. */
  readonly audience: readonly string[]
  /** Default RS256, PS256, ES256, EdDSA. Only asymmetric algorithms. */
  readonly algorithms: readonly string[]
  /** The URL of its keys. Absent: the URL in its metadata. */
  readonly jwksUri: string | undefined
  /** The required value of the `typ` header (`at+jwt`, RFC 9068). Absent: any value. */
  readonly type: string | undefined
  /** The endpoint for tokens that only the issuer can read. Absent: such tokens are refused. */
  readonly introspection: IntrospectionConfig | undefined
  /** The scopes that every token must have. Default: none. */
  readonly scopes: readonly string[]
  /** The scopes that tokens must have for single tools, by patterns `backend:tool`. Every pattern that matches applies. */
  readonly toolScopes: Readonly<Record<string, readonly string[]>>
}

/** A caller that proves itself with a key, of which the file has only the hash. */
export interface ApiKeyConfig {
  /** The name of the caller in logs. */
  readonly name: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string
  /** Names of the tenants that the key opens. Default: only `default`. */
  readonly tenants: readonly string[]
}

/** The section `secrets`. */
export interface SecretsConfig {
  /**
   * Keys that seal data which clients hold and send back. The first key seals, all keys open. Empty: the node creates
   * one for itself.
   */
  readonly seal: readonly string[]
}
