/** How busy a node is. */
export interface LoadReading {
  /** How much later than due its timers run on average, in milliseconds. */
  readonly loopDelayMs: number
  /** The used part of the memory that the process may use, in percent. */
  readonly heapPercent: number
}

/** A reading above one of these is high. */
export type LoadBounds = LoadReading

/** What a node does with new work. */
export type LoadState =
  /** It takes it. `highs`: so many readings in a row were high. */
  | { readonly kind: 'taking'; readonly highs: number }
  /** It refuses it, because of this. */
  | { readonly kind: 'refusing'; readonly reason: keyof LoadReading }

/** So many readings in a row must be high: one long turn, or one full heap before its collection, refuses nobody. */
const patience = 3

/** New work is taken again when the reading is below this part of each bound, so that the state does not flicker. */
const relief = 0.8

/** The state after a reading. */
export function judgeLoad(state: LoadState, reading: LoadReading, bounds: LoadBounds): LoadState {
  if (state.kind === 'refusing') {
    const isRelieved = kinds.every((kind) => reading[kind] < bounds[kind] * relief)
    return isRelieved ? { kind: 'taking', highs: 0 } : state
  }
  const reason = kinds.find((kind) => reading[kind] > bounds[kind])
  if (reason === undefined) return { kind: 'taking', highs: 0 }
  const highs = state.highs + 1
  return highs < patience ? { kind: 'taking', highs } : { kind: 'refusing', reason }
}

const kinds = ['loopDelayMs', 'heapPercent'] as const
