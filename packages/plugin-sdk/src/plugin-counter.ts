import type { Emit } from '@junctor/contracts'

const counterName = /^[a-z][a-z0-9_]{0,63}$/

/** A counter of a backend in the metrics of its node. */
export interface PluginCounter {
  /**
   * Counts.
   *
   * @param by a number of at least 0; default: 1
   * @param value the label `value`: one of a few words, such as a status. Never anything that a caller chooses. The first
   *   hundred values of a counter are counted separately, all others as `other`. Default: none
   * @throws RangeError when `by` is negative or not a finite number
   */
  add(by?: number, value?: string): void
}

/**
 * Makes a counter.
 *
 * @throws Error when the name cannot be used
 */
export function createCounter(backend: string, counter: string, emit: Emit): PluginCounter {
  if (!counterName.test(counter)) {
    const expected = 'expected a name of a counter: a to z, 0 to 9 and _, at most 64, a letter first'
    throw new Error(`${expected}; got ${JSON.stringify(counter)}`)
  }
  return {
    add(by = 1, value = '') {
      if (!(by >= 0 && by < Infinity)) throw new RangeError(`expected to count a number of at least 0, got ${by}`)
      emit({ kind: 'plugin_counted', backend, counter, value, by })
    },
  }
}
