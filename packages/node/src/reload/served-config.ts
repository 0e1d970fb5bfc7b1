import type { BackendEntry } from '@junctor/gateway'
import { policyFingerprint } from '../cluster/policy-fingerprint.ts'
import type { NodeParts } from '../open-node-parts.ts'
import type { NodeRedaction } from '../telemetry/node-redaction.ts'
import type { PreparedBackends } from '../backends/backend-set.ts'
import type { NodeConfig } from '../node-config.ts'

/** The configuration that a node serves, and its backends. */
export interface ServedConfig {
  readonly config: NodeConfig
  /** The `policyFingerprint` of what is in use, which other gateways compare with theirs. */
  readonly policy: string
  /** The backends that this node holds, in the order of the configuration. */
  readonly backends: readonly BackendEntry[]
  /** What these backends offer beside their links, by name. */
  readonly offers: PreparedBackends['offers']
  /**
   * Applies another configuration. Rejects when that is not possible; then the previous one stays in use. Replaced
   * parts may take a while to end; the change does not wait for them.
   */
  change(next: NodeConfig, applyConfig: ApplyConfig): Promise<void>
}

/**
 * Prepares the change to another configuration and its backends, or rejects. The returned function applies the change,
 * never throws, and resolves when the replaced backends are no longer used.
 */
export type ApplyConfig = (
  next: NodeConfig,
  made: Pick<PreparedBackends, 'entries' | 'offers'>,
) => Promise<() => Promise<void>>

/** What creates backends, and what learns of another configuration. */
export interface ServedConfigParts extends Pick<NodeParts, 'backends' | 'telemetry' | 'endings' | 'renew'> {
  readonly redaction: NodeRedaction
  /**
   * Returns the configuration with only the backends that this node holds. May throw `CONFIG_INVALID`. Default: all
   * backends.
   */
  readonly held?: (config: NodeConfig) => NodeConfig
}

/** Creates the backends of the first configuration. Rejects like `BackendSet.prepare`. */
export async function openServedConfig(first: NodeConfig, parts: ServedConfigParts): Promise<ServedConfig> {
  const { backends, telemetry, endings, renew, redaction, held = (config) => config } = parts
  const prepared = await backends.prepare(held(first))
  prepared.commit()
  // Limits take effect only after a restart.
  const policyOf = (config: NodeConfig): string => policyFingerprint({ ...config, limits: first.limits })
  let served = { config: first, policy: policyOf(first), backends: prepared.entries, offers: prepared.offers }
  return {
    get config() {
      return served.config
    },
    get policy() {
      return served.policy
    },
    get backends() {
      return served.backends
    },
    get offers() {
      return served.offers
    },
    async change(next, applyConfig) {
      redaction.follow(next)
      const useRenewed = renew(next.fabric)
      const made = await backends.prepare(held(next))
      try {
        const take = await applyConfig(next, made)
        const closeGone = made.commit()
        useRenewed()
        telemetry.follow(next)
        served = { config: next, policy: policyOf(next), backends: made.entries, offers: made.offers }
        endings.add(take().then(closeGone))
      } catch (error) {
        await made.discard()
        throw error
      }
    },
  }
}
