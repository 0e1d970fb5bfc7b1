import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'

/** A frame that a stream keeps. */
export interface KeptFrame {
  readonly text: string
  /** How long ago it was first sent to a reader, in milliseconds, where that is known: clocks of nodes differ. */
  readonly sentMs: number | undefined
}

/** A session's own stream, on its way to another node: there it goes on with the same event ids. */
export interface StreamState {
  readonly id: string
  /** The last event that there is. */
  readonly count: number
  /** The last event that a reader has had. */
  readonly delivered: number
  /** The last event that is not shown again. */
  readonly settled: number
  /** The last ones, oldest first. */
  readonly frames: readonly KeptFrame[]
}

/** As another node reads it; its frames go by themselves. */
export function printStreamState({ id, count, delivered, settled }: StreamState): JsonValue {
  return { id, count, delivered, settled }
}

export function printFrames(frames: readonly KeptFrame[]): JsonValue {
  return frames.map(({ text, sentMs }) => [text, sentMs ?? null])
}

/** `undefined` when it is none. */
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
