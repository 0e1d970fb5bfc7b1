import type { ErrorReporter, Closer, Fabric, Log, NodeChange } from '@junctor/contracts'
import { aboutIn, followNodes } from '@junctor/gateway'

/**
 * Warns when another gateway gives other permissions than this one, because the load balancer then decides which policy
 * applies to a client. Warns once for each difference.
 */
export function watchPolicies(fabric: Pick<Fabric, 'node' | 'nodes'>, log: Log, reportError: ErrorReporter): Closer {
  const stopping = new AbortController()
  const policies = new Map<string, string>()
  const warned = new Set<string>()

  const compare = (): void => {
    const own = policies.get(fabric.node)
    if (own === undefined) return
    for (const [node, policy] of policies) {
      const difference = `${own} ${node} ${policy}`
      if (policy === own || warned.has(difference)) continue
      warned.add(difference)
      log.warn('another gateway has another policy: tenants, credentials, limits or backends differ', {
        node,
        policy,
        own,
      })
    }
  }

  const onChange = (change: NodeChange): void => {
    const about = aboutIn(change)
    if (about?.policy === undefined || about.role !== 'gateway') policies.delete(change.node)
    else policies.set(change.node, about.policy)
    compare()
  }
  void followNodes(fabric, stopping.signal, onChange, reportError)
  return { close: async () => stopping.abort() }
}
