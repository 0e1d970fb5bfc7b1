import type { DurationTally } from './duration-tally.ts'
import type { LabelTree } from './label-tree.ts'
import { countSamples, durationSamples, type Sample, type TalliedMetric } from './tallied-metric.ts'
import type { Count } from './count.ts'

/** Creates a counter: one sample for each cell of a tree. */
export function counter(name: string, help: string, tree: LabelTree<Count>, ...labels: string[]): TalliedMetric {
  return { name, help, type: 'counter', samples: () => countSamples(tree, labels) }
}

/** Creates a counter whose values are counted elsewhere. */
export function readCounter(name: string, help: string, samples: () => readonly Sample[]): TalliedMetric {
  return { name, help, type: 'counter', samples }
}

/** Creates a histogram for each cell of a tree. */
export function durations(
  name: string,
  help: string,
  tree: LabelTree<DurationTally>,
  ...labels: string[]
): TalliedMetric {
  return { name, help, type: 'histogram', samples: () => durationSamples(name, tree, labels) }
}

/** Creates a gauge. */
export function gauge(name: string, help: string, samples: () => readonly Sample[]): TalliedMetric {
  return { name, help, type: 'gauge', samples }
}

/** Returns the sample of a metric without labels; none when there is no value. */
export function one(value: () => number | undefined): () => Sample[] {
  return () => {
    const read = value()
    return read === undefined ? [] : [{ labels: {}, value: read }]
  }
}

/** Returns a sample for each member of an object, with its name as a label. */
export function each(label: string, values: () => Readonly<Record<string, number>>): () => Sample[] {
  return () => Object.entries(values()).map(([name, value]) => ({ labels: { [label]: name }, value }))
}
