/** The state of a consumer, and a later state of its stream. */
export interface QueueState {
  /** Delivered, but not finished. */
  readonly onLoan: number
  /** The sequence of the last delivered item. */
  readonly delivered: number
  /** The number of items. */
  readonly items: number
  /** The sequence of the last stored item. */
  readonly last: number
}

/**
 * The least number of items that are neither on loan nor after the last delivered one: they are never delivered. (A
 * killed server may have forgotten that they were not delivered, or that they were removed.) Pushes, takes and
 * completions between the two answers of the server make the number smaller, never larger.
 */
export function undeliverableItems({ onLoan, delivered, items, last }: QueueState): number {
  return Math.max(0, items - onLoan - Math.max(0, last - delivered))
}
