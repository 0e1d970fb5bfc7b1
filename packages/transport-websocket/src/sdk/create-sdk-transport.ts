import { JunctorError } from '@junctor/protocol'
import { Channel, type ChannelEnd, type ChannelReader } from '../channel.ts'
import type { Connection } from '../connection.ts'
import type { WebSocketLimits } from '../options.ts'
import type { SdkTransport } from './sdk-transport.ts'

/** Makes a transport of a connection that is opened when the SDK asks for it. */
export function createSdkTransport(
  open: (signal: AbortSignal) => Promise<Connection>,
  limits: WebSocketLimits,
): SdkTransport {
  return new SocketTransport(open, limits)
}

class SocketTransport implements SdkTransport, ChannelReader {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: unknown) => void) | undefined
  readonly #open: (signal: AbortSignal) => Promise<Connection>
  readonly #limits: WebSocketLimits
  readonly #gone = Promise.withResolvers<void>()
  readonly #closing = new AbortController()
  #channel: Channel | undefined
  #state: 'new' | 'started' | 'over' = 'new'

  constructor(open: (signal: AbortSignal) => Promise<Connection>, limits: WebSocketLimits) {
    this.#open = open
    this.#limits = limits
  }

  async start(): Promise<void> {
    if (this.#state !== 'new')
      throw new JunctorError('BUG', 'Expected a transport that was not started, got one that was')
    this.#state = 'started'
    try {
      this.#channel = new Channel(await this.#open(this.#closing.signal), this.#limits, this)
    } catch (error) {
      this.#state = 'over'
      this.onclose?.()
      throw error
    }
  }

  async send(message: object): Promise<void> {
    if (this.#channel === undefined || this.#state !== 'started') {
      throw new JunctorError('CLOSED', 'Expected a connection that is open, got none')
    }
    await this.#channel.send(JSON.stringify(message))
  }

  async close(): Promise<void> {
    this.#closing.abort(new JunctorError('CLOSED', 'The transport was closed'))
    if (this.#channel === undefined) return
    this.#channel.close('done')
    await this.#gone.promise
  }

  text(text: string): void {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch (cause) {
      this.onerror?.(new Error('Expected JSON in a text frame, got something else', { cause }))
      return
    }
    this.onmessage?.(message)
  }

  over({ closedFor, cause, code, text }: ChannelEnd): void {
    this.#state = 'over'
    if (closedFor !== 'done' && code !== 1000) {
      this.onerror?.(new Error(`The WebSocket was closed with ${code} ${text}`.trimEnd(), { cause }))
    }
    this.onclose?.()
    this.#gone.resolve()
  }
}
