import type { HomeSession } from '../sessions/home-session.ts'
import type { ReplayStream } from '../sessions/streams/replay-stream.ts'
import type { StreamTable } from '../sessions/streams/stream-table.ts'

/** The message for an event id that is unknown, belongs to another session, or is no longer kept. */
export const unknownEventMessage = 'Unknown event id: it is not of this session, or no longer kept'

/**
 * The stream that this node keeps for the session, if all events after `n` can still be replayed: the session's own
 * stream, if this node is its home, or the stream of one of its requests. Never returns another session's stream.
 */
export function keptStream(
  streams: StreamTable,
  home: HomeSession | undefined,
  session: string,
  id: string,
  n: number,
): ReplayStream | undefined {
  const stream = home?.stream?.id === id ? home.stream : streams.find(id, session)
  return stream?.keeps(n) === true ? stream : undefined
}
