import type { DataSchema } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { z } from 'zod'
import type { ReadPlace } from './find-stream.ts'

/**
 * Writes the params with which a node requests a stream of the context's session from the node that keeps it.
 *
 * @param place undefined: the session's own stream
 */
export function resumeParams(place: ReadPlace | undefined): JsonObject {
  return { stream: place?.stream ?? null, after: place?.n ?? null }
}

/** Reads what `resumeParams` writes. */
export const resumeSchema: DataSchema<ReadPlace | undefined> = z.union([
  z.object({ stream: z.null() }).transform(() => undefined),
  z.object({ stream: z.string(), after: z.number() }).transform(({ stream, after }) => ({ stream, n: after })),
])

/** A reader at another node that is lost. */
export interface LostReader {
  /** The id of the exchange with which its node read the stream. */
  readonly reader: string
  /** How many frames were written to it. */
  readonly written: number
}

/** Reads a `LostReader` of another node. */
export const lostReaderSchema: DataSchema<LostReader> = z.object({
  reader: z.string(),
  written: z.number().int().min(0),
})
