import type { Config } from '@junctor/config'
import type { BackendEntry } from '@junctor/gateway'
import { policyFingerprint } from './cluster/policy-fingerprint.ts'
import type { NodeParts } from './open-node-parts.ts'
import type { NodeRedaction } from './node-redaction.ts'

/** The configuration that a node serves, and the backends that it has for it. */
export interface ServedConfig {
  readonly config: Config
  /** What other gateways compare with theirs: `policyFingerprint` of the configuration. */
  readonly policy: string
  /** Those that this node holds, in the order of the configuration. */
  readonly backends: readonly BackendEntry[]
  /**
   * Serves another configuration from now on. Rejects when that cannot be; then the one before is served on. What is
   * replaced may take a while to end: the change does not wait for it.
   */
  change(next: Config, takeOver: TakeOver): Promise<void>
}

/**
 * Makes ready what a node does with another configuration and its backends, or rejects. What it gives takes them over,
 * throws nothing, and resolves when nothing uses what they replace.
 */
export type TakeOver = (next: Config, backends: readonly BackendEntry[]) => Promise<() => Promise<void>>

export interface ServedConfigParts extends Pick<NodeParts, 'backends' | 'telemetry' | 'endings'> {
  readonly redaction: NodeRedaction
  /** The configuration with those backends alone that this node holds. May throw `CONFIG_INVALID`. Default: with all. */
  readonly held?: (config: Config) => Config
}

/** Makes the backends of a first configuration. Rejects like `BackendSet.prepare`. */
export async function openServedConfig(first: Config, parts: ServedConfigParts): Promise<ServedConfig> {
  const { backends, telemetry, endings, redaction, held = (config) => config } = parts
  const prepared = await backends.prepare(held(first))
  prepared.commit()
  let served = { config: first, policy: policyFingerprint(first), backends: prepared.entries }
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
    async change(next, takeOver) {
      redaction.follow(next)
      const made = await backends.prepare(held(next))
      try {
        const take = await takeOver(next, made.entries)
        const closeGone = made.commit()
        telemetry.follow(next)
        served = { config: next, policy: policyFingerprint(next), backends: made.entries }
        endings.add(take().then(closeGone))
      } catch (error) {
        await made.discard()
        throw error
      }
    },
  }
}
