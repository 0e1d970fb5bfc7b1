import type { Closer } from '@junctor/contracts'
import type { HostedBackend } from '@junctor/gateway'
import { discoverService, subjectsOf, subjectToken } from '@junctor/nats'
import type { Bus } from '../open-fabric.ts'

export interface ShownBackend {
  readonly backend: HostedBackend
  readonly node: string
  readonly version: string
}

/** Shows a backend to whoever looks for services on NATS. Calls are for nodes of the cluster alone, whose seal they need. */
export function showBackend({ connection, cluster }: Bus, { backend, node, version }: ShownBackend): Closer {
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
