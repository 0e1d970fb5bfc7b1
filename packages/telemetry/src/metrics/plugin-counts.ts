import type { TelemetryEvent } from '@junctor/contracts'
import { BoundedValues } from './bounded-values.ts'
import type { Count } from './count.ts'
import { LabelTree } from './label-tree.ts'

/** The number of counters of one backend, and of values of one counter, that are counted separately. */
const most = 100

/** What plugins count. Their code chooses the names, so the number of series is bounded for each backend. */
export class PluginCounts {
  /** Backend, counter, value. */
  readonly tree: LabelTree<Count> = new LabelTree(() => ({ count: 0 }))
  readonly #counters = new LabelTree(() => new BoundedValues(most))
  readonly #values = new LabelTree(() => new BoundedValues(most))

  add({ backend, counter, value, by }: Extract<TelemetryEvent, { kind: 'plugin_counted' }>): void {
    const name = this.#counters.at(backend).of(counter)
    this.tree.at(backend, name, this.#values.at(backend, name).of(value)).count += by
  }
}
