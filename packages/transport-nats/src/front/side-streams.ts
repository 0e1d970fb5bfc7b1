import { randomBytes } from 'node:crypto'
import type { ChannelLimits, SideStream } from '@junctor/connection'
import type { NatsConnection } from '@nats-io/transport-node'
import { Channel } from '../channel.ts'
import type { ClientSubjects } from '../client-subjects.ts'

/** How long a client may take to subscribe to a stream after it has received its topic, in milliseconds. */
const joinMs = 10_000

/** How many streams of a client may wait for it to subscribe. A stream whose request is answered waits, too. */
const mostWaiting = 64

/** The connection and the root of the client, under which each stream gets a subject. */
export interface SideStreamsParts {
  readonly connection: NatsConnection
  readonly subjects: ClientSubjects
  readonly limits: ChannelLimits
  /** Called with an exception that no caller would catch. */
  failed(error: unknown): void
}

/** The streams of one client on their own channels (JSON-RPC 3.0, extension `pubsub`), all under its root. */
export class SideStreams {
  readonly #parts: SideStreamsParts
  readonly #open = new Set<Channel>()
  /** Those of them that the client does not subscribe to yet. */
  readonly #waiting = new Set<Channel>()

  constructor(parts: SideStreamsParts) {
    this.#parts = parts
  }

  /**
   * Opens a stream. Frames are buffered until the client has subscribed, and answered a mark. Undefined: too many
   * others wait for that, so this stream stays on the client's own channel.
   *
   * @param lost called when the client never does, or is gone
   */
  open(lost: () => void): SideStream | undefined {
    if (this.#waiting.size >= mostWaiting) return undefined
    const { connection, subjects, limits } = this.#parts
    const stream = randomBytes(16).toString('base64url')
    const topic = subjects.out(stream)
    const joined = Promise.withResolvers<void>()
    let waiting: string[] | undefined = []
    let waitingBytes = 0
    let closing = false
    const channel: Channel = new Channel({
      connection,
      receivesOn: subjects.in(stream),
      sendsOn: topic,
      limits,
      join: {
        ms: joinMs,
        joined: () => {
          this.#waiting.delete(channel)
          const texts = waiting ?? []
          waiting = undefined
          for (const text of texts) void channel.send(text)
          joined.resolve()
          if (closing) channel.close('done')
        },
      },
      reader: {
        // The client sends its messages on the channel of the request.
        text() {},
        unreadable() {},
        over: () => {
          this.#open.delete(channel)
          this.#waiting.delete(channel)
          joined.resolve()
          lost()
        },
        failed: (error) => this.#parts.failed(error),
      },
    })
    this.#open.add(channel)
    this.#waiting.add(channel)
    return {
      stream,
      server: { conn: connection.getServer(), topic },
      send(text) {
        if (waiting === undefined) return channel.send(text)
        waiting.push(text)
        waitingBytes += text.length
        if (waitingBytes > limits.buffered) channel.close('too_slow')
        return joined.promise
      },
      close() {
        closing = true
        if (waiting === undefined) channel.close('done')
      },
    }
  }

  /** Closes all streams, because the client is gone. */
  close(): void {
    for (const channel of this.#open) channel.close('going_away')
  }
}
