import { JunctorError } from '@junctor/protocol'
import type { NatsConnection } from '@nats-io/transport-node'
import { Channel, type ChannelEnd, type ChannelReader } from '../channel.ts'
import { clientSubjects } from '../client-subjects.ts'
import { defaultClientLimits, type NatsLimits } from '../options.ts'
import { whenLost } from '../when-lost.ts'
import { askForChannel } from './ask-for-channel.ts'
import type { SdkTransport } from './sdk-transport.ts'

export interface SdkClientTransportOptions {
  /** Goes on when the transport is closed. Several transports may share it. */
  readonly connection: NatsConnection
  /** Of the gateways' configuration. Default `junctor`. */
  readonly cluster?: string
  /** Default `default`. */
  readonly tenant?: string
  /** The client's own name on the bus, for which NATS has to give it permissions. */
  readonly client: string
  /** Sent when the channel is asked for: `{ authorization: 'Bearer ...' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** What differs from `defaultClientLimits`. */
  readonly limits?: Partial<NatsLimits>
}

/**
 * A channel on NATS for a client made with an official SDK: `await client.connect(createSdkClientTransport({ connection,
 * client: 'billing', headers }))`. `start` rejects with `BACKEND_UNREACHABLE` when no gateway listens, and with
 * `BACKEND_REFUSED` when it lets nobody in with these headers. When the connection to NATS is lost it closes: what was on
 * its way may be lost too.
 *
 * @throws JunctorError `LIMIT_REACHED` for a name that is too long for a subject
 */
export function createSdkClientTransport(options: SdkClientTransportOptions): SdkTransport {
  return new NatsTransport(options)
}

class NatsTransport implements SdkTransport, ChannelReader {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: unknown) => void) | undefined
  readonly #options: SdkClientTransportOptions
  readonly #subjects: ReturnType<typeof clientSubjects>
  #channel: Channel | undefined
  #watch: { stop(): void } | undefined
  #state: 'new' | 'started' | 'over' = 'new'

  constructor(options: SdkClientTransportOptions) {
    const { cluster = 'junctor', tenant = 'default', client } = options
    this.#options = options
    this.#subjects = clientSubjects(cluster, tenant, client)
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') {
      throw new JunctorError('BUG', 'Expected a transport that was not started, got one that was')
    }
    this.#state = 'started'
    const { connection, headers = {}, limits } = this.#options
    try {
      const { in: speaks, out: hears } = await askForChannel(connection, this.#subjects, headers)
      // The callbacks cannot be told of what was closed meanwhile.
      if (this.#isOver()) throw new JunctorError('CLOSED', 'The transport was closed')
      this.#channel = new Channel({
        connection,
        hears,
        speaks,
        limits: { ...defaultClientLimits, ...limits },
        reader: this,
      })
      this.#watch = whenLost(connection, () => this.#channel?.lose())
    } catch (error) {
      this.#state = 'over'
      this.onclose?.()
      throw error
    }
  }

  async send(message: object): Promise<void> {
    if (this.#channel === undefined || this.#state !== 'started') {
      throw new JunctorError('CLOSED', 'Expected a channel that is open, got none')
    }
    await this.#channel.send(JSON.stringify(message))
  }

  async close(): Promise<void> {
    if (this.#channel === undefined) this.#state = 'over'
    else this.#channel.close('done')
  }

  text(text: string): void {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch (cause) {
      this.onerror?.(new Error('Expected JSON in a message, got something else', { cause }))
      return
    }
    this.onmessage?.(message)
  }

  unreadable(_situation: string, message: string): void {
    this.onerror?.(new Error(message))
  }

  over({ reason, own }: ChannelEnd): void {
    this.#state = 'over'
    this.#watch?.stop()
    if (!own && reason !== 'done') this.onerror?.(new Error(`The channel on NATS has ended: ${reason}`))
    this.onclose?.()
  }

  #isOver(): boolean {
    return this.#state === 'over'
  }
}
