/** One measurement of how busy a node is. */
export interface LoadSample {
  /** How much later than due its timers run on average, in milliseconds. */
  readonly loopDelayMs: number
  /** The used part of the memory that the process may use, in percent. */
  readonly heapPercent: number
}

/** What a node does with new work. */
export type LoadState =
  /** It takes new work. `highs`: how many samples in a row were high. */
  | { readonly kind: 'taking'; readonly highs: number }
  /** It refuses new work, because of this value. */
  | { readonly kind: 'refusing'; readonly reason: keyof LoadSample }

/** How many samples in a row must be high: one long turn, or one full heap before its collection, is not enough. */
const highsToRefuse = 3

/** New work is taken again when the sample is below this part of each bound, so that the state does not flicker. */
const relief = 0.8

/**
 * The state after a sample.
 *
 * @param bounds a sample above one of these is high
 */
export function judgeLoad(state: LoadState, sample: LoadSample, bounds: LoadSample): LoadState {
  if (state.kind === 'refusing') {
    const isRelieved = kinds.every((kind) => sample[kind] < bounds[kind] * relief)
    return isRelieved ? { kind: 'taking', highs: 0 } : state
  }
  const reason = kinds.find((kind) => sample[kind] > bounds[kind])
  if (reason === undefined) return { kind: 'taking', highs: 0 }
  const highs = state.highs + 1
  return highs < highsToRefuse ? { kind: 'taking', highs } : { kind: 'refusing', reason }
}

const kinds = ['loopDelayMs', 'heapPercent'] as const
