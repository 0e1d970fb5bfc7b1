/** The limits of a frame. The reader of the frame must limit its size in bytes. */
export interface FrameBounds {
  /** Levels of nested objects and arrays, including the message itself and a batch around it. */
  readonly depth: number
  /** Entries of a batch. */
  readonly batch: number
  /** Characters of an id as JSON text, including quotes. */
  readonly idLength: number
}

/**
 * Depth 64: `JSON.stringify` and most recursive code fail at thousands of levels, and no known MCP message has more
 * than 20. Batch 100: each entry may be a call. Id 256: tables keep ids while a call runs.
 */
export const defaultFrameBounds: FrameBounds = { depth: 64, batch: 100, idLength: 256 }
