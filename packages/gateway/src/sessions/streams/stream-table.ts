import { randomBytes } from 'node:crypto'
import { keptOr } from '@junctor/primitives'
import { fairShare } from './fair-share.ts'
import { ReplayStream, type StreamLosses, type StreamPace } from './replay-stream.ts'
import type { StreamState } from './stream-state.ts'
import { nodeId } from '../../shared/node-id.ts'
import type { GatewayLimits } from '../../shared/limits.ts'

/** The streams that this node keeps. Each belongs to one session. */
export interface StreamTable {
  /** Opens a stream of the session. Beyond the session's limits, the oldest finished or unread streams are removed. */
  open(session: string): ReplayStream
  /**
   * Creates a stream that its owner keeps, and whose writers do not wait. The table does not find, limit or sweep it.
   */
  detached(pace: Exclude<StreamPace, 'awaited'>): ReplayStream
  /** Creates such a stream from the state of a stream that another node has frozen. */
  restored(state: StreamState, pace: Exclude<StreamPace, 'awaited'>): ReplayStream
  /** `undefined`: the stream is unknown, was removed, or belongs to another session. */
  find(stream: string, session: string): ReplayStream | undefined
  /** Ends all streams of a session. */
  closeSession(session: string): void
  /**
   * Removes streams that were finished or unread for too long, and the finished streams of sessions that this node serves
   * no longer: they cannot be resumed.
   */
  sweep(isServed: (session: string) => boolean): void
  /**
   * Removes finished and unread streams until those of all sessions together fit: of the owners that keep the most, first
   * the finished ones, the oldest first.
   *
   * @param ownerOf identifies who has opened the session
   */
  relieve(ownerOf: (session: string) => string): void
  readonly size: number
}

/**
 * All streams of one session together may keep as much as this many full streams. Sessions may have many streams, but
 * not for long.
 */
const fullStreams = 4

/** All streams of the node together may keep as much as this many full streams. */
const fullStreamsOfNode = 64

/** A stream that may be removed. */
interface Removable {
  readonly stream: ReplayStream
  readonly remove: () => void
}

/** Creates an empty table. */
export function createStreamTable(
  node: string,
  limits: GatewayLimits,
  now: () => number,
  losses: StreamLosses,
): StreamTable {
  const sessions = new Map<string, Map<string, ReplayStream>>()
  const bounds = { entries: limits.streamEntries, characters: limits.streamCharacters, keepMs: limits.streamKeepMs }

  const create = (pace: StreamPace, id = nodeId(node, randomBytes(16).toString('base64url'))): ReplayStream =>
    new ReplayStream(id, bounds, now, losses, pace)

  return {
    open(session) {
      const streams = keptOr(sessions, session, () => new Map())
      makeRoom(streams, limits)
      const stream = create('awaited')
      streams.set(stream.id, stream)
      return stream
    },
    detached: (pace) => create(pace),
    restored(state, pace) {
      const stream = create(pace, state.id)
      stream.restore(state)
      return stream
    },
    find(stream, session) {
      return sessions.get(session)?.get(stream)
    },
    closeSession(session) {
      const streams = sessions.get(session)
      sessions.delete(session)
      if (streams === undefined) return
      for (const stream of streams.values()) stream.close()
    },
    sweep(isServed) {
      const oldest = now() - limits.streamKeepMs
      for (const [session, streams] of sessions) {
        const isOver = !isServed(session)
        for (const [id, stream] of streams) {
          const isOld = stream.touched < oldest
          if (stream.finished ? isOver || isOld : isOld && !stream.read) forget(streams, id, stream)
        }
        if (streams.size === 0) sessions.delete(session)
      }
    },
    relieve: (ownerOf) => relieve(sessions, ownerOf, fullStreamsOfNode * limits.streamCharacters),
    get size() {
      let count = 0
      for (const streams of sessions.values()) count += streams.size
      return count
    },
  }
}

/** Removes streams of a session until there is room for one more. */
function makeRoom(
  streams: Map<string, ReplayStream>,
  { streams: most, streamCharacters }: Pick<GatewayLimits, 'streams' | 'streamCharacters'>,
): void {
  let characters = 0
  for (const stream of streams.values()) characters += stream.characters
  while (streams.size >= most || characters > fullStreams * streamCharacters) {
    const forgotten = forgetOldest(streams)
    if (forgotten === undefined) return
    characters -= forgotten
  }
}

/** Removes the first stream that is unread or finished, if there is one. Returns how many characters it kept. */
function forgetOldest(streams: Map<string, ReplayStream>): number | undefined {
  for (const [id, stream] of streams) {
    if (!isRemovable(stream)) continue
    const { characters } = stream
    forget(streams, id, stream)
    return characters
  }
  return undefined
}

function isRemovable({ read, finished }: ReplayStream): boolean {
  return finished || !read
}

/** Removes streams until those of all sessions together keep at most `most` characters. */
function relieve(
  sessions: ReadonlyMap<string, Map<string, ReplayStream>>,
  ownerOf: (session: string) => string,
  most: number,
): void {
  const kept = new Map<string, Removable[]>()
  for (const [session, streams] of sessions) {
    const own = keptOr(kept, ownerOf(session), () => [])
    for (const [id, stream] of streams) {
      if (isRemovable(stream)) own.push({ stream, remove: () => forget(streams, id, stream) })
    }
  }
  const share = fairShare([...kept.values()].map(charactersOf), most)
  if (share === Infinity) return
  for (const own of kept.values()) removeSome(own, share)
}

function charactersOf(kept: readonly Removable[]): number {
  return kept.reduce((sum, { stream }) => sum + stream.characters, 0)
}

/** Removes streams until the others keep at most `most` characters: first finished ones, the oldest first. */
function removeSome(kept: readonly Removable[], most: number): void {
  let characters = charactersOf(kept)
  if (characters <= most) return
  for (const { stream, remove } of kept.toSorted(byUse)) {
    if (characters <= most) return
    characters -= stream.characters
    remove()
  }
}

/** Finished streams first, then those that nobody reads; the oldest first. */
function byUse({ stream: one }: Removable, { stream: other }: Removable): number {
  return Number(other.finished) - Number(one.finished) || one.touched - other.touched
}

/** Removes a stream. Its writer does not wait for a reader any more: none can find it. */
function forget(streams: Map<string, ReplayStream>, id: string, stream: ReplayStream): void {
  streams.delete(id)
  stream.close()
}
