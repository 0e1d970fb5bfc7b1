import { ClientConnection, type EndReason, type Front, type Identity, type Log, within } from '@junctor/exchange'
import { parseFrame } from '@junctor/jsonrpc'
import type { NatsConnection } from '@nats-io/transport-node'
import { Channel, type ChannelEnd, type ChannelReader } from '../channel.ts'
import type { CloseReason } from '../close-reason.ts'
import type { ClientSubjects } from '../client-subjects.ts'
import type { FrontLimits } from '../options.ts'
import { SideStreams } from './side-streams.ts'

export interface BusConnectionParts {
  readonly connection: NatsConnection
  readonly subjects: ClientSubjects
  /** The name of its channel. */
  readonly channel: string
  readonly front: Front
  readonly identity: Identity
  readonly limits: FrontLimits
  readonly log: Log
}

/** The longest time that a timer can be set to, in milliseconds: longer ones are set again. */
const longestTimerMs = 2 ** 31 - 1

/** One client on a channel: one message or batch in each, one session. */
export class BusConnection implements ChannelReader {
  readonly #parts: BusConnectionParts
  readonly #client: ClientConnection
  readonly #channel: Channel
  readonly #streams: SideStreams
  #finishing = false
  /** Ends it when the credentials that it was opened with are no longer good. */
  #expiry: NodeJS.Timeout | undefined
  readonly #closed = Promise.withResolvers<void>()

  constructor(parts: BusConnectionParts) {
    const { connection, subjects, channel, front, identity, limits, log } = parts
    this.#parts = parts
    this.#streams = new SideStreams(parts)
    this.#client = new ClientConnection({
      transport: 'nats',
      front,
      identity,
      log,
      write: (text) => this.#channel.send(text),
      divert: (lost) => this.#streams.open(lost),
      ready: () => this.#regulate(),
      ended: () => void this.#finish('session_ended', 'done', 0),
    })
    this.#channel = new Channel({
      connection,
      hears: subjects.in(channel),
      speaks: subjects.out(channel),
      limits,
      reader: this,
    })
    this.#expireAt(identity.expires)
  }

  /** Resolves when the channel is gone and the session has ended. */
  get closed(): Promise<void> {
    return this.#closed.promise
  }

  /** Takes nothing any more, waits for answers that are under way, ends the session and the channel. */
  async close(graceMs: number): Promise<void> {
    await this.#finish('shutdown', 'going_away', graceMs)
    await this.closed
  }

  /** The way to the client is lost, and with it perhaps messages. */
  lose(): void {
    this.#channel.lose()
  }

  text(text: string): void {
    if (this.#finishing) return
    try {
      this.#client.take(parseFrame(text, this.#parts.limits.frame))
      this.#regulate()
    } catch (error) {
      this.#parts.log.error('A message of a client on the bus could not be handled', { error })
      void this.#finish('session_ended', 'failed', 0)
    }
  }

  unreadable(situation: 'parse_error' | 'too_large', message: string): void {
    if (!this.#finishing) this.#client.refuse(situation, message)
  }

  over({ reason, own }: ChannelEnd): void {
    const { log } = this.#parts
    if (own && reason === 'too_slow') log.warn('A reader is too slow; its channel is closed')
    log.debug('A channel on the bus was closed', { reason, own })
    clearTimeout(this.#expiry)
    this.#client.lose()
    this.#streams.close()
    void this.#finish('disconnected', 'done', 0)
  }

  /** Reads on, unless the client does not read what it is sent, or has to wait for its session. */
  readonly #regulate = (): void => {
    if (this.#finishing) return
    const { slow } = this.#channel
    if (!this.#client.opening && slow === undefined) return this.#channel.resume()
    this.#channel.pause()
    void slow?.then(this.#regulate)
  }

  #expireAt(expires: number | undefined): void {
    if (expires === undefined) return
    const leftMs = expires - Date.now()
    const again = leftMs > longestTimerMs
    this.#expiry = setTimeout(
      () =>
        again ? this.#expireAt(expires) : void this.#finish('disconnected', 'expired', this.#parts.limits.graceMs),
      Math.min(leftMs, longestTimerMs),
    )
  }

  async #finish(reason: EndReason, why: CloseReason, graceMs: number): Promise<void> {
    if (this.#finishing) return
    this.#finishing = true
    // Signs of life, and the client's goodbye, are still to be heard.
    this.#channel.resume()
    const answered = await within(this.#client.answered(), graceMs)
    if (!answered && graceMs > 0) {
      this.#parts.log.warn('Requests were not answered in time', { requests: this.#client.unanswered })
    }
    await this.#client.end(reason)
    this.#channel.close(why)
    this.#closed.resolve()
  }
}
