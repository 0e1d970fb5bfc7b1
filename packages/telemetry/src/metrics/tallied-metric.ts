import type { Metric, Registry } from 'prom-client'
import type { DurationTally } from './duration-tally.ts'
import type { LabelTree } from './label-tree.ts'
import type { Count } from './count.ts'

/** One line of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Set when it differs from the name of the metric: the parts of a histogram. */
  readonly metricName?: string
}

/** A metric whose values are kept elsewhere, and read at the scrape. */
export interface TalliedMetric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: () => readonly Sample[]
}

/**
 * Registers a metric for printing. prom-client's own counters would build a key from the labels for every increment.
 */
export function register(registry: Registry, { name, help, type, samples }: TalliedMetric): void {
  const metric = { name, help, type, get: () => Promise.resolve({ name, help, type, values: samples() }) }
  registry.registerMetric(metric as unknown as Metric)
}

/** Returns one sample for each cell. */
export function countSamples(tree: LabelTree<Count>, labels: readonly string[]): Sample[] {
  return Array.from(cells(tree, labels), ([values, { count }]) => ({ labels: labelled(labels, values), value: count }))
}

/** Returns the cumulative buckets, the sum and the count of each cell. Durations are in seconds. */
export function durationSamples(name: string, tree: LabelTree<DurationTally>, labels: readonly string[]): Sample[] {
  return Array.from(cells(tree, labels)).flatMap(([values, tally]) => {
    const shared = labelled(labels, values)
    let total = 0
    const buckets = tally.counts.map((count, index) => {
      total += count
      const bound = tally.bounds[index]
      const le = bound === undefined ? '+Inf' : bound / 1_000
      return { metricName: `${name}_bucket`, labels: { ...shared, le }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: shared, value: tally.sum / 1_000 },
      { metricName: `${name}_count`, labels: shared, value: total },
    ]
  })
}

/**
 * Returns the cells. A metric without labels has its cell from the beginning, so that its first increase is visible.
 */
function cells<Cell>(tree: LabelTree<Cell>, labels: readonly string[]): ReturnType<LabelTree<Cell>['cells']> {
  if (labels.length === 0) void tree.at()
  return tree.cells()
}

function labelled(labels: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']))
}
