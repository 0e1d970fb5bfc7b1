import type { ErrorReporter, Closer, Fabric, Log, NodeChange } from '@junctor/contracts'
import { aboutIn, followNodes } from '@junctor/gateway'

/** How long policies may differ, in milliseconds: nodes apply a new configuration one after the other. */
const differMs = 10_000

/** A node whose policy differs from the own one. */
interface Difference {
  readonly timer: NodeJS.Timeout
  /** Both policies, once the difference is logged. */
  logged?: string
}

/**
 * Warns when another gateway gives other permissions than this one, and that lasts, because the load balancer then
 * decides which policy applies to a client. Warns once for each difference. Two versions may have different defaults,
 * and so different policies from the same file.
 */
export function watchPolicies(fabric: Pick<Fabric, 'node' | 'nodes'>, log: Log, reportError: ErrorReporter): Closer {
  const stopping = new AbortController()
  const policies = new Map<string, string>()
  const differences = new Map<string, Difference>()

  const bothOf = (node: string): string => `${policies.get(fabric.node)} ${policies.get(node)}`
  const forget = (node: string): void => {
    clearTimeout(differences.get(node)?.timer)
    differences.delete(node)
  }
  const warn = (node: string): void => {
    const difference = differences.get(node)
    if (difference !== undefined) difference.logged = bothOf(node)
    log.warn(
      'another gateway has another policy: tenants, credentials, limits or backends differ, or it runs another version',
      { node, policy: policies.get(node), own: policies.get(fabric.node) },
    )
  }

  const compare = (): void => {
    const own = policies.get(fabric.node)
    for (const [node, { logged }] of differences) {
      const policy = policies.get(node)
      const isOver = policy === undefined || policy === own
      if (isOver || (logged !== undefined && logged !== bothOf(node))) forget(node)
    }
    if (own === undefined) return
    for (const [node, policy] of policies) {
      if (policy === own || differences.has(node)) continue
      differences.set(node, { timer: setTimeout(warn, differMs, node) })
    }
  }

  const onChange = (change: NodeChange): void => {
    const about = aboutIn(change)
    if (about?.policy === undefined || about.role !== 'gateway') policies.delete(change.node)
    else policies.set(change.node, about.policy)
    compare()
  }
  void followNodes(fabric, stopping.signal, onChange, reportError)
  return {
    async close() {
      stopping.abort()
      for (const node of differences.keys()) forget(node)
    },
  }
}
