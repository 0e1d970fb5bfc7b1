import { randomBytes } from 'node:crypto'
import { ReplayStream } from './replay-stream.ts'
import type { GatewayLimits } from '../limits.ts'

/** The streams that this node keeps, each one session's. */
export interface StreamTable {
  /** A new stream of the session. Beyond the session's bound the oldest finished or unread one is forgotten. */
  open(session: string): ReplayStream
  /** A stream that its owner keeps: it is not found, bounded or swept here. */
  detached(): ReplayStream
  /** `undefined` when it is unknown, forgotten, or another session's. */
  find(stream: string, session: string): ReplayStream | undefined
  /** Ends all streams of a session. */
  closeSession(session: string): void
  /** Forgets what nobody has read for too long. */
  sweep(): void
  readonly size: number
}

export function createStreamTable(node: string, limits: GatewayLimits, now: () => number): StreamTable {
  const sessions = new Map<string, Map<string, ReplayStream>>()
  const bounds = { entries: limits.streamEntries, characters: limits.streamCharacters }

  const create = (): ReplayStream => new ReplayStream(`${node}-${randomBytes(16).toString('base64url')}`, bounds, now)

  return {
    open(session) {
      const streams = sessions.get(session) ?? new Map<string, ReplayStream>()
      sessions.set(session, streams)
      if (streams.size >= limits.streams) forgetOldest(streams)
      const stream = create()
      streams.set(stream.id, stream)
      return stream
    },
    detached: create,
    find(stream, session) {
      return sessions.get(session)?.get(stream)
    },
    closeSession(session) {
      const streams = sessions.get(session)
      sessions.delete(session)
      if (streams === undefined) return
      for (const stream of streams.values()) stream.close()
    },
    sweep() {
      const oldest = now() - limits.streamKeepMs
      for (const [session, streams] of sessions) {
        for (const [id, stream] of streams) {
          if (stream.touched < oldest && (stream.finished || !stream.read)) streams.delete(id)
        }
        if (streams.size === 0) sessions.delete(session)
      }
    },
    get size() {
      let count = 0
      for (const streams of sessions.values()) count += streams.size
      return count
    },
  }
}

/** Forgets the first stream that nobody is reading, or that has nothing more to come. */
function forgetOldest(streams: Map<string, ReplayStream>): void {
  for (const [id, stream] of streams) {
    if (stream.read && !stream.finished) continue
    streams.delete(id)
    return
  }
}
