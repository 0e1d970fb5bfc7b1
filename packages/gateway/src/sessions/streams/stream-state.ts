import type { JsonValue } from '@junctor/jsonrpc'
import { z } from 'zod'

/** A frame that a stream keeps. */
export interface KeptFrame {
  readonly text: string
  /**
   * How long ago it was first sent to a reader, in milliseconds, if it was sent. An age, because the clocks of nodes
   * differ.
   */
  readonly sentMs: number | undefined
}

/**
 * The state of a session's own stream during a hand-over. On the new node, the stream continues with the same event
 * ids.
 */
export interface StreamState {
  readonly id: string
  /** The number of the last event. */
  readonly count: number
  /** The last event that a reader has received. */
  readonly delivered: number
  /** The last event that is not shown again. */
  readonly settled: number
  /** The newest frames, oldest first. */
  readonly frames: readonly KeptFrame[]
}

/** Writes the state for another node, without its frames. */
export function printStreamState({ id, count, delivered, settled }: StreamState): JsonValue {
  return { id, count, delivered, settled }
}

/** Prints kept frames, for another node. */
export function printFrames(frames: readonly KeptFrame[]): JsonValue {
  return frames.map(({ text, sentMs }) => [text, sentMs ?? null])
}

/** The state as another node wrote it, without its frames. */
export const streamSchema: z.ZodType<Omit<StreamState, 'frames'>> = z.object({
  id: z.string(),
  count: z.number(),
  delivered: z.number(),
  settled: z.number(),
})

/** Frames as another node wrote them. */
export const framesSchema: z.ZodType<readonly KeptFrame[]> = z.array(
  z
    .tuple([z.string(), z.number().nullish()])
    .rest(z.unknown())
    .transform(([text, sentMs]) => ({ text, sentMs: sentMs ?? undefined })),
)
