import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { mcpProfile, prefixOf, profiles } from '@junctor/protocol'
import type {
  AuditConfig,
  AuthConfig,
  IntrospectionConfig,
  BackendConfig,
  Config,
  EventsConfig,
  FabricConfig,
  ListenConfig,
  RatesConfig,
  TenantConfig,
} from '../config.ts'
import { escapeReferences } from '../document/references.ts'
import { limitMember, type LimitsConfig, limitUnits, limitWords } from '../limits-config.ts'
import { formatByteSize, formatDuration } from './units.ts'
import { hidden, withoutSecrets } from './without-secrets.ts'

/**
 * Returns the effective configuration, in the words and units of the file, with all defaults and without secrets. With
 * `(secret)` filled in, it is a configuration with the same effect.
 *
 * @param defaults the limits that apply when the file sets none; the components that enforce limits know them
 */
export function showConfig(config: Config, defaults: LimitsConfig): JsonObject {
  const {
    listen,
    fabric,
    server,
    publicUrl,
    profile,
    timeoutMs,
    backends,
    tenants,
    discovery,
    auth,
    secrets,
    events,
    audit,
    limits,
  } = config
  const tenantBackends = backendsOfTenants(tenants)
  const shown = {
    listen: showListen(listen),
    fabric: showFabric(fabric),
    server,
    publicUrl,
    profile,
    timeout: formatDuration(timeoutMs),
    gatewayTools: gatewayToolsOf(config),
    pins: config.pins.mode,
    backends: Object.fromEntries(backends.map((backend) => [backend.name, showBackend(backend, tenantBackends)])),
    tenants: Object.fromEntries(tenants.map(({ name, ...tenant }) => [name, showTenant(tenant)])),
    discovery: { oauth_endpoints: { ...discovery.oauthPaths } },
    auth: showAuth(auth),
    secrets: { seal: secrets.seal.map(() => hidden) },
    events: showFile(events),
    audit: showFile(audit),
    limits: showLimits({ ...defaults, ...limits }),
  }
  return written(shown) as JsonObject
}

function showFile({ rotateAt, ...section }: EventsConfig | AuditConfig): object {
  return { ...section, rotateAt: rotateAt && formatByteSize(rotateAt) }
}

function showListen({ http, admin, nats }: ListenConfig): object {
  return {
    http: { ...http, tls: http.tls && { cert: http.tls.cert, key: hidden } },
    admin: admin && { ...admin, token: admin.token && hidden },
    nats,
  }
}

function showFabric(fabric: FabricConfig): JsonValue | object {
  if (fabric === 'memory') return fabric
  const { servers, cluster, key, replicas, user, tls, ...secrets } = fabric.nats
  const kept = Object.entries(secrets).map(([word, value]) => [word, value && hidden] as const)
  const shown = {
    servers,
    cluster,
    key: key.length === 1 ? hidden : key.map(() => hidden),
    replicas,
    user,
    ...Object.fromEntries(kept),
  }
  return { nats: { ...shown, tls: tls && { ...tls, key: tls.key && hidden } } }
}

/** Returns the value for all tenants if they agree; profiles may differ in it. */
function gatewayToolsOf({ gatewayTools, tenants }: Config): boolean | undefined {
  const [one, ...others] = new Set(tenants.map(({ profile }) => profiles[profile]?.gatewayTools))
  return gatewayTools ?? (others.length === 0 ? one : undefined)
}

/** The profile of a tenant, and the names of its backends. */
interface TenantBackends {
  readonly profile: string
  readonly backends: ReadonlySet<string>
}

function backendsOfTenants(tenants: readonly TenantConfig[]): readonly TenantBackends[] {
  return tenants.map(({ profile, backends }) => ({ profile, backends: new Set(backends) }))
}

/**
 * Returns one backend in the words and units of the file, with all defaults and without secrets. `undefined`: the
 * configuration has no such backend.
 */
export function showBackendNamed({ backends, tenants }: Config, name: string): JsonObject | undefined {
  const backend = backends.find((candidate) => candidate.name === name)
  return backend && (written(showBackend(backend, backendsOfTenants(tenants))) as JsonObject)
}

function showBackend(backend: BackendConfig, tenants: readonly TenantBackends[]): object {
  const { pluginReference: named, secrets } = backend
  const options = withoutSecrets(backend.options, secrets)
  const isSecret = secrets.some((secret) => secret !== '' && named?.includes(secret) === true)
  return {
    ...(named === undefined ? {} : { plugin: isSecret ? hidden : named }),
    ...(options as object),
    prefix: backend.prefix ?? defaultPrefix(backend.name, tenants),
    timeout: formatDuration(backend.timeoutMs),
    askTimeout: formatDuration(backend.askTimeoutMs),
    isolation: showIsolation(backend),
    runsOn: backend.runsOn,
    maxLinks: backend.maxLinks,
    concurrency: backend.concurrency,
    queue: backend.queue,
    retry: backend.retry,
    idle: formatDuration(backend.idleMs),
    appDomain: backend.appDomain,
    pins: backend.pins?.mode ?? 'off',
  }
}

function showIsolation({ isolation, process }: BackendConfig): JsonValue {
  return process === undefined
    ? isolation
    : { process: { memory: formatByteSize(process.memoryBytes) }, scope: isolation }
}

/** Returns the prefix for all tenants that have the backend, if they agree. */
function defaultPrefix(backend: string, tenants: readonly TenantBackends[]): string | undefined {
  const holders = tenants.filter(({ backends }) => backends.has(backend))
  const prefixes = holders.map(({ profile }) => prefixOf(undefined, backend, profiles[profile] ?? mcpProfile))
  const [one = backend, ...others] = new Set(prefixes)
  return others.length === 0 ? one : undefined
}

function showTenant({
  profile,
  separator,
  maxLength,
  askers,
  bareNames,
  rates,
  ...others
}: Omit<TenantConfig, 'name'>): object {
  const naming = { separator: separator ?? profiles[profile]?.separator, maxLength, askers, bareNames }
  return { profile, naming, ...others, limits: rates && showRates(rates) }
}

function showRates({ burstMs, callsPerMinuteOfTools: ofTools, ...rates }: RatesConfig): object {
  const callsPerMinuteOfTools = Object.keys(ofTools).length === 0 ? undefined : ofTools
  return { ...rates, callsPerMinuteOfTools, burst: formatDuration(burstMs) }
}

function showAuth({ apiKeys, anonymous, issuer, server }: AuthConfig): object {
  const keys = apiKeys.map(({ name, hash, tenants }) => [name, { hash: `${hash.slice(0, 13)}…`, tenants }] as const)
  const introspection = issuer?.introspection && showIntrospection(issuer.introspection)
  const own = server && { server: server.backend, scopes: server.scopes, toolScopes: server.toolScopes }
  return { apiKeys: Object.fromEntries(keys), anonymous, ...issuer, ...own, introspection }
}

function showIntrospection({ url, clientId, reuseMs, signed }: IntrospectionConfig): object {
  return { url, clientId, clientSecret: hidden, reuse: formatDuration(reuseMs), signed }
}

function showLimits(limits: LimitsConfig): object {
  const shown = limitWords.map((word) => {
    const unit = limitUnits[word]
    const value = limits[limitMember(word)]
    if (value === undefined || unit === 'count') return [word, value] as const
    return [word, unit === 'time' ? formatDuration(value) : formatByteSize(value)] as const
  })
  return Object.fromEntries(shown)
}

/** Removes absent members, and escapes text that looks like a reference. */
function written(value: unknown): JsonValue {
  if (typeof value === 'string') return escapeReferences(value)
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, written(member)]))
}
