import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'

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

export function printFrames(frames: readonly KeptFrame[]): JsonValue {
  return frames.map(({ text, sentMs }) => [text, sentMs ?? null])
}

/** Reads the state. `undefined`: the value is not a stream state. */
export function readStreamState(value: JsonValue | undefined, frames: readonly KeptFrame[]): StreamState | undefined {
  const { id, count, delivered, settled } = isJsonObject(value) ? value : {}
  if (typeof id !== 'string' || typeof count !== 'number') return undefined
  if (typeof delivered !== 'number' || typeof settled !== 'number') return undefined
  return { id, count, delivered, settled, frames }
}

export function readFrames(value: JsonValue | undefined): readonly KeptFrame[] {
  const frames = Array.isArray(value) ? value : []
  return frames.flatMap((frame) => {
    const [text, sentMs] = Array.isArray(frame) ? frame : []
    return typeof text === 'string' ? [{ text, sentMs: typeof sentMs === 'number' ? sentMs : undefined }] : []
  })
}
