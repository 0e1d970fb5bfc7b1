/** What a server says of a consumer, and after that of its stream. */
export interface QueueState {
  /** Delivered, and not done. */
  readonly onLoan: number
  /** The sequence of the last item that was delivered. */
  readonly delivered: number
  /** Items there are. */
  readonly items: number
  /** The sequence of the last item that was stored. */
  readonly last: number
}

/**
 * So many items at least are neither on loan nor after the last one that was delivered: they are never delivered. (A
 * server that was killed may have forgotten that they were not, or that they were removed.) What is pushed, taken or
 * done between the two answers of the server makes it fewer, never more.
 */
export function unreachedItems({ onLoan, delivered, items, last }: QueueState): number {
  return Math.max(0, items - onLoan - Math.max(0, last - delivered))
}
