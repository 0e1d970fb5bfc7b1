import type { NodeConfig } from '../node-config.ts'
import type { NodeParts } from '../open-node-parts.ts'
import type { NodeRedaction } from '../telemetry/node-redaction.ts'

/**
 * Returns the configuration of the file with the backends that were added earlier, or at other nodes. Rejects with
 * `FABRIC_UNAVAILABLE` when they cannot be read.
 */
export async function withAddedBackends(
  config: NodeConfig,
  { added, telemetry }: Pick<NodeParts, 'added' | 'telemetry'>,
  redaction: NodeRedaction,
): Promise<NodeConfig> {
  await added.open()
  const { config: first, unserved } = added.addTo(config)
  redaction.follow(first)
  telemetry.follow(first)
  for (const [backend, problems] of unserved) {
    redaction.log.warn('a backend that was added cannot be served with this configuration', { backend, problems })
  }
  return first
}
