import { JunctorError } from '@junctor/protocol'
import { errorOf } from '@junctor/primitives'
import type { SdkTransport } from './sdk-transport.ts'
import type { TextChannel } from './served-connection.ts'

/** Receives what an SDK must know of a channel. */
interface SdkChannelReader {
  text(text: string): void
  /** An error occurred, and the channel continues. @param error any thrown value */
  fail(error: unknown): void
  /** The channel is gone. @param error the reason; absent when the channel was closed normally */
  over(error?: Error): void
}

/**
 * Opens a channel. It may reject when the signal aborts; if it opens a channel in spite of that, the channel is closed.
 *
 * @param reader is called from now on
 */
export type OpenSdkChannel = (
  reader: SdkChannelReader,
  signal: AbortSignal,
) => Promise<Pick<TextChannel, 'send' | 'close'>>

/** The transport of a client or server made with an official SDK, on a channel of texts that `start` opens. */
export class ChannelSdkTransport implements SdkTransport, SdkChannelReader {
  /** Set by the SDK: called once, when the channel is closed. */
  onclose?: (() => void) | undefined
  /** Set by the SDK: called for messages that cannot be read. */
  onerror?: ((error: Error) => void) | undefined
  /** Set by the SDK: receives each message. */
  onmessage?: ((message: unknown) => void) | undefined
  readonly #open: OpenSdkChannel
  readonly #gone = Promise.withResolvers<void>()
  readonly #closing = new AbortController()
  #channel: Pick<TextChannel, 'send' | 'close'> | undefined
  #state: 'new' | 'started' | 'over' = 'new'

  constructor(open: OpenSdkChannel) {
    this.#open = open
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') {
      throw new JunctorError('BUG', 'Expected a transport that was not started, got one that was')
    }
    this.#state = 'started'
    const { signal } = this.#closing
    try {
      const channel = await this.#open(this, signal)
      if (signal.aborted) channel.close('done')
      signal.throwIfAborted()
      this.#channel = channel
    } catch (error) {
      this.over()
      throw error
    }
  }

  async send(message: object): Promise<void> {
    if (this.#channel === undefined || this.#state !== 'started') {
      throw new JunctorError('CLOSED', 'Expected a channel that is open, got none')
    }
    await this.#channel.send(JSON.stringify(message))
  }

  /** Closes the channel. `onclose` is called once. */
  async close(): Promise<void> {
    this.#closing.abort(new JunctorError('CLOSED', 'The transport was closed'))
    if (this.#channel === undefined) return
    this.#channel.close('done')
    await this.#gone.promise
  }

  /** Receives one text of the channel. */
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

  fail(error: unknown): void {
    this.onerror?.(errorOf(error))
  }

  over(error?: Error): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    if (error !== undefined) this.onerror?.(error)
    this.onclose?.()
    this.#gone.resolve()
  }
}
