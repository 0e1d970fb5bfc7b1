import { streamOf } from '../../sessions/session/session-outlet.ts'
import type { SessionTable } from '../../sessions/session/session-table.ts'
import type { EventPlace } from '../../sessions/streams/event-id.ts'
import type { ReplayStream } from '../../sessions/streams/replay-stream.ts'
import type { StreamTable } from '../../sessions/streams/stream-table.ts'

/** The place of the last event that a reader has; it wants the rest of the stream. */
export type ReadPlace = Pick<EventPlace, 'stream' | 'n'>

/** A stream of a session, as far as this node has it. */
export type FoundStream =
  | { readonly kind: 'here'; readonly stream: ReplayStream }
  /** The session was handed over with its stream to this node. */
  | { readonly kind: 'moved'; readonly node: string }
  /** The event is unknown, of another session, or no longer kept. `isHome`: whether this node is the session's home. */
  | { readonly kind: 'unknown'; readonly isHome: boolean }

/** The message for an event id that is unknown, belongs to another session, or is no longer kept. */
export const unknownEventMessage = 'Unknown event id: it is not of this session, or no longer kept'

/**
 * Finds a stream of a session. Never returns another session's stream.
 *
 * @param place undefined: the session's own stream is read, from now on
 */
export function findStream(
  table: Pick<SessionTable, 'home' | 'otherHome'>,
  streams: StreamTable,
  session: string,
  place: ReadPlace | undefined,
): FoundStream {
  const home = table.home(session)
  if (place === undefined && home !== undefined) return { kind: 'here', stream: streamOf(home, streams) }
  if (place !== undefined) {
    const stream = home?.stream?.id === place.stream ? home.stream : streams.find(place.stream, session)
    if (stream?.keeps(place.n) === true) return { kind: 'here', stream }
  }
  const node = table.otherHome(session)
  return node === undefined ? { kind: 'unknown', isHome: home !== undefined } : { kind: 'moved', node }
}
