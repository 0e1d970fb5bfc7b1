import type { HomeSession } from '../sessions/home-session.ts'
import type { ReplayStream } from '../sessions/streams/replay-stream.ts'
import type { StreamTable } from '../sessions/streams/stream-table.ts'

/** Said to whoever names an event that is unknown, another session's, or no longer kept. */
export const unknownEventMessage = 'Unknown event id: it is not of this session, or no longer kept'

/**
 * The stream that this node keeps for the session, if all after event `n` can still be replayed: its own stream, where
 * it is at home here, or one of its requests. Another session's stream is not found.
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
