import { createAuthenticator, CredentialsWatch, proofKeptMs } from '@junctor/auth'
import type { Config } from '@junctor/config'
import { type BackendEntry, createGateway, type Gateway, type TenantEntry } from '@junctor/gateway'
import type { Interceptor } from '@junctor/exchange'
import type { Profile } from '@junctor/protocol'
import { authenticatorOptions } from './tenants/authenticator-options.ts'
import { createGatewayTools } from './gateway-tools/gateway-tools.ts'
import { chosen, gatewayLimitNames } from './limits.ts'
import type { NodeRedaction } from './telemetry/node-redaction.ts'
import type { NodeParts } from './open-node-parts.ts'
import { profileNamed } from './tenants/profile-named.ts'
import { requireAudit } from './tenants/require-audit.ts'
import type { ServedConfig, ApplyConfig } from './reload/served-config.ts'
import { createTenantEntries } from './tenants/tenant-entries.ts'

/** The gateway of a node, with the tenants and the credentials of the current configuration. */
export interface NodeGateway {
  readonly gateway: Gateway
  /** Applies the tenants, credentials and backends of another configuration. */
  readonly applyConfig: ApplyConfig
}

/** The parts of a node that its gateway is made of. */
export interface NodeGatewayParts extends Pick<NodeParts, 'fabric' | 'telemetry' | 'nodes' | 'allEvents'> {
  readonly served: ServedConfig
  readonly redaction: Pick<NodeRedaction, 'log'>
  /** The log level that `gateway_status` shows. */
  readonly logLevel: string
  /** See `NodeOptions`. */
  readonly interceptors: readonly Interceptor[]
}

/**
 * Opens the gateway of a node. Rejects with `CONFIG_INVALID` for a key or an issuer that can never be used.
 *
 * @param opened receives the closers of the gateway and the authenticator, to be called in reverse order
 */
export async function openNodeGateway(opened: AsyncDisposableStack, parts: NodeGatewayParts): Promise<NodeGateway> {
  const { fabric, telemetry, served, redaction } = parts
  const { emit } = telemetry
  const { log } = redaction
  const { config } = served
  const ownTools = createGatewayTools({
    gateway: {
      ...config.server,
      logLevel: parts.logLevel,
      get timeoutMs() {
        return served.config.timeoutMs
      },
    },
    backends: (tenant) => gateway.backendsOf(tenant),
    nodes: () => parts.nodes.all(),
    events: parts.allEvents,
  })
  // The setting at the start applies, because a change of the audit needs a restart.
  const audit = (profile: Profile) => (config.audit.required === true ? [requireAudit(telemetry, profile)] : [])
  const tenantsOf = (next: Config, backends: readonly BackendEntry[]): readonly TenantEntry[] =>
    createTenantEntries(next, backends, ownTools, (profile) => [...audit(profile), ...parts.interceptors])
  const tenants = tenantsOf(config, served.backends)
  const judging = { seal: fabric.seal, log, emit, proofs: fabric.store<true>('proofs', proofKeptMs) }
  let authenticator = createAuthenticator(
    authenticatorOptions({ config, entries: tenants, offers: served.offers }, judging),
  )
  opened.defer(() => authenticator.close())
  const credentials = new CredentialsWatch({
    standing: (head) => authenticator.standing(head),
    failed: (error) => log.error('credentials could not be judged again', { error }),
  })
  opened.defer(async () => credentials.close())
  const gateway = await createGateway({
    fabric,
    tenants,
    authenticate: (head) => authenticator.authenticate(head),
    watch: credentials.watch,
    metadata: (tenant, path) => authenticator.metadata(tenant, path),
    profile: () => profileNamed(served.config.profile),
    info: config.server,
    ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
    limits: chosen(config.limits, gatewayLimitNames),
    log,
    emit,
  })
  opened.defer(() => gateway.close())
  return {
    gateway,
    async applyConfig(next, made) {
      const entries = tenantsOf(next, made.entries)
      const renewed = authenticator.renew(authenticatorOptions({ config: next, entries, offers: made.offers }, judging))
      return async () => {
        authenticator = renewed
        await gateway.update(entries)
        // Not before: the sessions of tenants that are gone end by themselves.
        credentials.check()
      }
    },
  }
}
