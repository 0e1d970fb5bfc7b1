import type { Isolation } from '@junctor/contracts'

/** A checked configuration: plain data, every default filled in, every reference replaced. Times are milliseconds. */
export interface Config {
  /** The folder of the file, absolute: where relative paths in backends' options start. */
  readonly folder: string
  readonly listen: ListenConfig
  readonly fabric: FabricConfig
  readonly server: ServerConfig
  /** Where clients reach this gateway from outside, without a slash at its end; absolute URLs are made from it. */
  readonly publicUrl: string | undefined
  /** The name of the profile of tenants that name none, and of refusals where no tenant is known. */
  readonly profile: string
  /** The deadline of a call that no backend's own `timeoutMs` applies to. */
  readonly timeoutMs: number
  /** In the order of the file; `mcpServers` after `backends`. */
  readonly backends: readonly BackendConfig[]
  /** Whether clients see `gateway_status` and `get_events`. `undefined`: where the tenant's profile has them. */
  readonly gatewayTools: boolean | undefined
  readonly events: EventsConfig
  readonly audit: AuditConfig
  /** At least one: `default`, which has all backends, unless the file has tenants. */
  readonly tenants: readonly TenantConfig[]
  readonly auth: AuthConfig
  readonly secrets: SecretsConfig
  readonly limits: LimitsConfig
}

/** What nodes share: one node has its own memory, several have NATS. */
export type FabricConfig = 'memory' | { readonly nats: NatsConfig }

export interface NatsConfig {
  /** `nats://` or `tls://`, host and port. Others of the servers' own cluster are learned from them. */
  readonly servers: readonly string[]
  /** Default `junctor`. Nodes of one cluster see each other; several clusters may share the servers. */
  readonly cluster: string
  /** Nodes believe only what was made with one of them. The first seals, all open. At least 32 characters each. */
  readonly key: readonly string[]
  /** Servers that keep each stored thing. Default 1. */
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

export interface ListenConfig {
  readonly http: HttpListenConfig
  /** Absent: no admin port. */
  readonly admin: AdminListenConfig | undefined
  /** Whether clients on the NATS of the fabric are served. Default false. */
  readonly nats: boolean
}

/** Where whoever runs the gateway looks inside: probes, metrics, status, events. Never the public port. */
export interface AdminListenConfig {
  /** Default `127.0.0.1`. */
  readonly host: string
  /** Default 3001; 0 lets the operating system choose a free one. */
  readonly port: number
  /** What everything but probes and metrics wants as a bearer token. Absent: nothing else is served. */
  readonly token: string | undefined
  /** `Host` headers to serve besides those of this machine and of `host`. Default: none. */
  readonly allowedHosts: readonly string[]
}

export interface HttpListenConfig {
  /** Default `127.0.0.1`: what other machines can reach is opened on purpose, never by accident. */
  readonly host: string
  /** Default 3000; 0 lets the operating system choose a free one. */
  readonly port: number
  /** `Host` headers to serve, besides that of `publicUrl`; empty: localhost only. */
  readonly allowedHosts: readonly string[]
  /** `Origin` headers to serve; empty: localhost only. */
  readonly allowedOrigins: readonly string[]
  /** Both in PEM. Absent: plain HTTP. */
  readonly tls: TlsConfig | undefined
}

export interface TlsConfig {
  readonly cert: string
  readonly key: string
}

/** What `initialize` answers as `serverInfo`. */
export interface ServerConfig {
  /** Default `junctor`. */
  readonly name: string
  /** Default: the version of Junctor. */
  readonly version: string
}

/** What is kept of what happened. */
export interface EventsConfig {
  /** Events of each tenant that are kept in memory; the oldest go first. Default 10000. */
  readonly keep: number
  /** Absolute. A file that events are appended to, one JSON object a line. Absent: memory alone. */
  readonly file: string | undefined
  /** Bytes from which on the file is put aside, and a new one begun. Absent: 100 MiB. */
  readonly rotateAt?: number | undefined
}

/** Who did what: sessions, refused callers, tool calls with their principal. */
export interface AuditConfig {
  /** Absolute. A file that is appended to, one JSON object a line. Absent: no audit. */
  readonly file: string | undefined
  /** As for events. */
  readonly rotateAt?: number | undefined
  /** Whether calls are refused while it cannot be written. */
  readonly required?: boolean | undefined
}

/** `workers`: nodes that hold backends and let no clients in; gateways reach whichever has it. */
export type RunsOn = 'gateways' | 'workers'

export interface BackendConfig {
  readonly name: string
  /** The name of the plugin that creates it. */
  readonly plugin: string
  /** The word in the file that chose the plugin: `command`, `url`, `plugin`. */
  readonly word: string
  /** What the plugin's own schema made of the backend's options. */
  readonly options: unknown
  /** What references in the options became: to be shown to nobody. */
  readonly referred: readonly string[]
  /** Stands in front of the separator in public names; empty: names are not changed. `undefined`: the tenant's profile decides. */
  readonly prefix: string | undefined
  /** Default `session`; `tenant` when it was chosen by `plugin`: in this process each message tells whose it is. */
  readonly isolation: Isolation
  /** The deadline of one call, questions to the client not counted. Default: the file's `timeout`. */
  readonly timeoutMs: number
  /** How long a client has to answer a question of this backend. Default one minute: people answer. */
  readonly askTimeoutMs: number
  /** Which nodes hold its links. Default `gateways`: each gateway those that it uses. */
  readonly runsOn: RunsOn
  /** Links (processes, connections) open at once, on each node that holds some. Default 256. */
  readonly maxLinks: number
  /** A link that was not used for this long is closed. Default 5 minutes. */
  readonly idleMs: number
}

export interface TenantConfig {
  readonly name: string
  /** The name of a profile. Default: the file's `profile`. */
  readonly profile: string
  /** Stands between prefix and name. `undefined`: the profile's own. */
  readonly separator: string | undefined
  /** The most characters of a public name that has a prefix. Default 64. */
  readonly maxLength: number
  /** Whether questions to people say which backend asks. Default true. */
  readonly askers: boolean
  /** Names of backends. */
  readonly backends: readonly string[]
  readonly tools: ToolsConfig
  /** Whose tokens are let in besides those made for this tenant alone. `undefined`: nobody's. */
  readonly members: MembersConfig | undefined
}

/** A token belongs to a tenant when its claim is one of the values, or a list that has one of them. */
export interface MembersConfig {
  readonly claim: string
  readonly values: readonly string[]
}

/** Which tools a tenant has. Patterns are `backend:tool`, and `*` stands for any run of characters. */
export interface ToolsConfig {
  /** `undefined`: every tool of the tenant's backends. */
  readonly allow: readonly string[] | undefined
  /** Wins over `allow`. */
  readonly deny: readonly string[]
}

export interface AuthConfig {
  readonly apiKeys: readonly ApiKeyConfig[]
  /** Callers without credentials are let in, wherever they call from. Default false. */
  readonly anonymous: boolean
  /** Whose signed tokens are accepted. */
  readonly issuer: IssuerConfig | undefined
}

/** An authorization server, as OpenID Connect Discovery or RFC 8414 describes it, or by its keys alone. */
export interface IssuerConfig {
  /** What `iss` must be, letter by letter. */
  readonly issuer: string
  /** What `aud` must have one of. `<audience>/<tenant>` is a token for that tenant alone. */
  readonly audience: readonly string[]
  /** Default RS256, PS256, ES256, EdDSA: asymmetric ones. */
  readonly algorithms: readonly string[]
  /** Where its keys are. Absent: where its metadata says. */
  readonly jwksUri: string | undefined
  /** What the `typ` header must be (`at+jwt`, RFC 9068). Absent: anything. */
  readonly type: string | undefined
}

export interface ApiKeyConfig {
  /** Names the caller in logs. */
  readonly name: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string
  /** Names of the tenants it opens. Default: `default` alone. */
  readonly tenants: readonly string[]
}

export interface SecretsConfig {
  /** Keys for what clients hold and bring back. The first seals, all open. Empty: the node makes one for itself. */
  readonly seal: readonly string[]
}

/** Bounds that the file sets. What it leaves out has the default of the part that keeps the bound. Sizes are bytes. */
export interface LimitsConfig {
  readonly body?: number
  readonly headers?: number
  readonly depth?: number
  readonly batch?: number
  readonly connections?: number
  readonly connectionsOfAddress?: number
  readonly streamBuffer?: number
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
  readonly keepAliveTimeoutMs?: number
  readonly stalledMs?: number
  readonly streamKeepAliveMs?: number
  readonly drainDelayMs?: number
  readonly graceMs?: number
  readonly sessions?: number
  readonly sessionsOfPrincipal?: number
  readonly sessionsOfTenant?: number
  readonly sessionIdleMs?: number
  readonly inFlight?: number
  readonly streams?: number
  readonly streamsOfPrincipal?: number
  readonly streamsOfTenant?: number
  readonly streamEntries?: number
  readonly streamCharacters?: number
  readonly streamKeepMs?: number
  readonly pageItems?: number
  readonly instructions?: number
  readonly startWaitMs?: number
  readonly listChangedMs?: number
}
