import type { LabelTree } from './label-tree.ts'
import { counter, gauge, readCounter } from './metric-kinds.ts'
import type { BackendGauges, NodeGauges } from './node-gauges.ts'
import { countSamples, type Sample, type TalliedMetric } from './tallied-metric.ts'
import type { Count } from './count.ts'
import type { Tallies } from './tallies.ts'

const breakerValues: Readonly<Record<BackendGauges['breaker'], number>> = { closed: 0, half_open: 1, open: 2 }

/** The metrics of backends and their plugins. */
export function backendMetrics(tallies: Tallies, gauges: () => NodeGauges): TalliedMetric[] {
  const byBackend: ByBackend = (value) => (): Sample[] =>
    gauges().backends.map((backend) => ({ labels: { backend: backend.name }, value: value(backend) }))
  const ofAll = (tree: LabelTree<Count>) => (): Sample[] => countSamples(withAll(tree, gauges()), ['backend'])

  return [
    ...connectionGauges(byBackend),
    readCounter(
      'mcp_backend_restarts_total',
      'Links to a backend that replaced one that broke.',
      ofAll(tallies.backendRestarts),
    ),
    counter(
      'mcp_backend_retries_total',
      'Calls whose way to a backend was lost: sent once more, or not because too many were.',
      tallies.callRetries,
      'backend',
      'result',
    ),
    gauge(
      'mcp_backend_breaker_state',
      '0 when calls go to a backend, 2 when they fail immediately because earlier ones timed out, 1 when one call tries.',
      byBackend(({ breaker }) => breakerValues[breaker]),
    ),
    counter(
      'mcp_backend_stdout_discarded_total',
      'Output of backends that could not be used.',
      tallies.outputDiscarded,
      'reason',
    ),
    readCounter(
      'mcp_plugin_failures_total',
      'Errors that code of a plugin threw where it must not.',
      ofAll(tallies.pluginFailures),
    ),
    counter(
      'junctor_plugin_counts_total',
      'What plugins count themselves.',
      tallies.pluginCounts.tree,
      'backend',
      'counter',
      'value',
    ),
  ]
}

/** Reads a value of each backend. */
type ByBackend = (value: (backend: BackendGauges) => number) => () => Sample[]

/** What backends are connected with, and how busy they are. */
function connectionGauges(byBackend: ByBackend): TalliedMetric[] {
  return [
    gauge(
      'mcp_backend_links',
      'Open connections to a backend, or processes of it.',
      byBackend(({ links }) => links),
    ),
    gauge(
      'mcp_inflight_requests',
      'Requests that a backend is working on.',
      byBackend(({ inFlight }) => inFlight),
    ),
    gauge(
      'mcp_queue_depth',
      'Sessions, or tenants, that wait for a link to a backend because all are taken.',
      byBackend(({ queued }) => queued),
    ),
    gauge(
      'mcp_backend_calls_waiting',
      'Calls that wait because a backend works on as many as it may.',
      byBackend(({ waiting }) => waiting),
    ),
    gauge(
      'mcp_backend_up',
      '1 when a backend can be reached, 0 when not, or not asked yet.',
      byBackend(({ state }) => (state === 'up' ? 1 : 0)),
    ),
  ]
}

/** Adds a zero for each backend without counts, so that its first increase is visible. */
function withAll(tree: LabelTree<Count>, { backends }: NodeGauges): LabelTree<Count> {
  for (const { name } of backends) void tree.at(name)
  return tree
}
