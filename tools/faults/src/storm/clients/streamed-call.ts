import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { errorOutcome, type AttemptOutcome } from '../ledger/outcome.ts'
import { Unanswered } from './fetch-anywhere.ts'

/** Two methods of the demo, so that a piece of another stream is noticed. */
const methods = [
  { method: 'listen.logs', piece: 'Log entry', end: 'End of logs' },
  { method: 'listen.errors', piece: 'Err entry', end: 'End of errors' },
] as const

/** The number and pace of the pieces, so that streams take as long as slow calls and have different lengths. */
function shapeOf({ ms }: Call): (typeof methods)[number] & { readonly entries: number; readonly everyMs: number } {
  const entries = 3 + (ms % 10)
  return { ...methods[ms % 2 === 0 ? 0 : 1], entries, everyMs: Math.ceil(ms / entries) }
}

/** The request for a call of a stream. */
export function streamMessage(call: Call): JsonObject {
  const { method, entries, everyMs } = shapeOf(call)
  return { jsonrpc: '3.0', id: call.id, method, params: { entries, everyMs }, options: { stream: true } }
}

/** The result of a stream. */
export interface Streamed {
  /** The result is the id of the call when all pieces have arrived. */
  readonly outcome: AttemptOutcome
  /** Frames that belong to another call, or come in the wrong order, as texts. */
  readonly strays: readonly string[]
}

/** Judges the frames of a stream. Throws {@link Unanswered} when it had no end. */
export function readStream(call: Call, frames: readonly JsonObject[]): Streamed {
  const { piece, entries, end } = shapeOf(call)
  const strays: string[] = []
  let last: JsonObject | undefined
  let pieces = 0
  for (const frame of frames) {
    const stream = frame['stream'] as { readonly id?: unknown; readonly data?: unknown } | undefined
    const { id } = stream ?? frame
    const isLast = 'result' in frame || 'error' in frame
    const isPiece = stream !== undefined && 'data' in stream
    if (id !== call.id || last !== undefined) strays.push(`${JSON.stringify(frame)} for ${call.id}`)
    else if (isLast) last = frame
    else if (isPiece) {
      pieces += 1
      if (stream.data !== `${piece} ${pieces}`) {
        strays.push(`${JSON.stringify(stream.data)} as piece ${pieces} of ${call.id}`)
      }
    }
  }
  if (last === undefined) throw new Unanswered({ kind: 'lost', what: `it ended after ${pieces} pieces` })
  if ('error' in last) return { outcome: errorOutcome(last['error']), strays }
  const isWhole = pieces === entries && last['result'] === end
  const text = isWhole ? call.id : `${pieces} pieces of ${entries}, then ${JSON.stringify(last['result'])}`
  return { outcome: { kind: 'result', text }, strays }
}
