import type { Session } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import { allows, type Profile } from '@junctor/protocol'
import type { ReplayStream } from '../../sessions/streams/replay-stream.ts'

/** Attaches readers to the streams of this node, and knows what became of a stream after each of them. */
export class StreamReaders {
  /** The number of readers so far. */
  #count = 0
  /** The number of the last reader of each stream that reads on from an event. */
  readonly #resumed = new WeakMap<ReplayStream, number>()

  /**
   * Attaches a reader to a stream. Sends a priming event if the session's revision or profile has one.
   *
   * @param after the event from which it reads on. `undefined`: it gets what no other reader was sent
   * @returns the number of the reader
   */
  attach(
    stream: ReplayStream,
    sink: Sink,
    { revision }: Pick<Session, 'revision'>,
    profile: Profile | undefined,
    after: number | undefined,
  ): number {
    this.#count += 1
    if (after !== undefined) this.#resumed.set(stream, this.#count)
    const from = after ?? stream.position
    const isPrimed = allows(revision, 'primingEvent') || profile?.http !== undefined
    sink.open(isPrimed ? stream.eventId(from) : undefined)
    stream.attach(sink, after)
    return this.#count
  }

  /** Whether a later reader reads on from an event: it was sent all that this one has lost. */
  isResumedAfter(reader: number, stream: ReplayStream): boolean {
    return (this.#resumed.get(stream) ?? 0) > reader
  }
}
