import type { Front, Head, Identity, Log } from '@junctor/contracts'
import { ServedConnection } from '@junctor/connection'
import type { NatsConnection } from '@nats-io/transport-node'
import { Channel, type ChannelEnd, type ChannelReader } from '../channel.ts'
import type { ClientSubjects } from '../client-subjects.ts'
import type { FrontLimits } from '../options.ts'
import { SideStreams } from './side-streams.ts'

/** An authenticated client on the bus, and the subjects under which it can be reached. */
export interface BusConnectionParts {
  readonly connection: NatsConnection
  readonly subjects: ClientSubjects
  /** The name of its channel. */
  readonly channel: string
  readonly front: Front
  readonly identity: Identity
  /** The request for the channel. */
  readonly head: Head
  readonly limits: FrontLimits
  readonly log: Log
}

/** One client on a channel of the bus, and the channels of its own streams. */
export class BusConnection implements ChannelReader {
  readonly #log: Log
  readonly #served: ServedConnection
  readonly #channel: Channel
  readonly #streams: SideStreams

  constructor({ connection, subjects, channel, front, identity, head, limits, log }: BusConnectionParts) {
    this.#log = log
    this.#streams = new SideStreams({ connection, subjects, limits, failed: (error) => this.#served.fail(error) })
    this.#channel = new Channel({
      connection,
      receivesOn: subjects.in(channel),
      sendsOn: subjects.out(channel),
      limits,
      reader: this,
    })
    this.#served = new ServedConnection({
      transport: 'nats',
      front,
      identity,
      head,
      limits,
      log,
      channel: this.#channel,
      redirect: (lost) => this.#streams.open(lost),
    })
  }

  /** Resolves when the channel is gone and the session has ended. */
  get closed(): Promise<void> {
    return this.#served.ended
  }

  /** Accepts no more messages, waits for pending answers, ends the session and the channel. */
  close(graceMs: number): Promise<void> {
    return this.#served.close(graceMs)
  }

  /** Ends the channel, because the connection to NATS is lost, perhaps with messages. */
  lose(): void {
    this.#channel.lose()
  }

  text(text: string): void {
    this.#served.take(text)
  }

  unreadable(situation: 'parse_error' | 'too_large', message: string): void {
    this.#served.refuse(situation, message)
  }

  over({ reason, own }: ChannelEnd): void {
    if (own && reason === 'too_slow') this.#log.warn('a reader is too slow; its channel is closed')
    this.#log.debug('a channel on the bus was closed', { reason, own })
    this.#streams.close()
    this.#served.lose()
  }

  failed(error: unknown): void {
    this.#served.fail(error)
  }
}
