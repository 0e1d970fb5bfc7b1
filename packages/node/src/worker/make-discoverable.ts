import type { Closer } from '@junctor/contracts'
import type { HostedBackend } from '@junctor/gateway'
import { discoverService, subjectsOf, subjectToken } from '@junctor/nats'
import type { Bus } from '../open-fabric.ts'

/** A hosted backend, with the node and the version that are announced for it. */
export interface DiscoverableBackend {
  readonly backend: HostedBackend
  readonly node: string
  readonly version: string
}

/**
 * Makes a backend visible to service discovery on NATS. Only nodes of the cluster can call it, because calls need the
 * cluster's seal.
 */
export function makeDiscoverable(
  { connection, cluster }: Bus,
  { backend, node, version }: DiscoverableBackend,
): Closer {
  const { name } = backend
  return discoverService(connection, {
    name,
    id: node,
    version,
    description: `The backend "${name}" of the Junctor cluster "${cluster}"`,
    metadata: { cluster, node },
    subject: subjectsOf(cluster).call(name),
    queue: subjectToken(name),
    stats: () => backend.stats,
  })
}
