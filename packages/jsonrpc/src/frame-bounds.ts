/** What a frame may be at most. Its size in bytes is for whoever reads it to bound. */
export interface FrameBounds {
  /** Levels of nested objects and arrays, the message itself (and a batch around it) included. */
  readonly depth: number
  /** Entries of a batch. */
  readonly batch: number
  /** Characters of an id as JSON text, quotes included. */
  readonly idLength: number
}

/**
 * Depth 64: `JSON.stringify` and most recursive code fails in the thousands, and no known MCP message goes beyond 20.
 * Batch 100: each entry may be a call. Id 256: ids are kept in tables while a call runs.
 */
export const defaultFrameBounds: FrameBounds = { depth: 64, batch: 100, idLength: 256 }
