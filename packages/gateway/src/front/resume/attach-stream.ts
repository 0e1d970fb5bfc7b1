import type { Session } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import type { Profile } from '@junctor/protocol'
import { isAtLeast } from '@junctor/protocol'
import type { ReplayStream } from '../../sessions/streams/replay-stream.ts'

/** Attaches a sink to a stream of this node. Sends a priming event if the session's revision or profile has one. */
export function attachStream(
  stream: ReplayStream,
  sink: Sink,
  { revision }: Pick<Session, 'revision'>,
  profile: Profile | undefined,
  after: number = stream.position,
): void {
  const isPrimed = isAtLeast(revision, '2025-11-25') || profile?.http !== undefined
  sink.open(isPrimed ? stream.eventId(after) : undefined)
  stream.attach(sink, after)
}
