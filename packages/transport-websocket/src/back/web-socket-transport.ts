import type { Receiver, Transport } from '@junctor/contracts'
import { answeredBy, entriesOf, type Message, parseFrame, printMessage, type Unreadable } from '@junctor/jsonrpc'
import { invalidResponse, JunctorError, mcpProfile, wireError } from '@junctor/protocol'
import { Channel, type ChannelEnd, type ChannelReader } from '../channel.ts'
import type { Connection } from '../connection.ts'
import type { WebSocketLimits } from '../options.ts'
import type { WebSocketClientOptions } from './web-socket-client-options.ts'

/** The backend that the connection is for, and the limits of the connection. */
export interface TransportParts extends Pick<WebSocketClientOptions, 'backend' | 'log' | 'emit'> {
  readonly limits: WebSocketLimits
}

const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const

/** A connection to a server: one message in each text frame. Its batches, of 2025-03-26, are split. */
export class WebSocketTransport implements Transport, ChannelReader {
  readonly #parts: TransportParts
  readonly #receiver: Receiver
  readonly #channel: Channel
  readonly #closed = Promise.withResolvers<Error | undefined>()
  readonly #gone = Promise.withResolvers<void>()

  constructor(connection: Connection, parts: TransportParts, receiver: Receiver) {
    this.#parts = parts
    this.#receiver = receiver
    this.#channel = new Channel(connection, parts.limits, this)
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  send(message: Message): Promise<void> | undefined {
    return this.#channel.send(printMessage(message, { nullId: true }))
  }

  close(reason?: Error): Promise<void> {
    this.#closed.resolve(reason)
    this.#channel.close('done')
    return this.#gone.promise
  }

  text(text: string): void {
    for (const entry of entriesOf(parseFrame(text, this.#parts.limits.frame))) {
      if (entry.kind === 'unreadable') this.#skip(entry, text)
      else this.#receiver.message(entry)
    }
  }

  over({ code, text, closedFor, cause }: ChannelEnd): void {
    const why = text === '' ? cause?.message : JSON.stringify(text)
    const detail = why === undefined || closedFor !== undefined ? '' : `: ${why}`
    const message = `The WebSocket of backend "${this.#parts.backend}" was closed with ${code}${detail}`
    this.#closed.resolve(new JunctorError('BACKEND_EXITED', message, cause === undefined ? undefined : { cause }))
    this.#gone.resolve()
  }

  failed(error: unknown): void {
    const { backend, log } = this.#parts
    log.error('what a backend sent could not be handled; its connection is closed', { backend, error })
    this.#closed.resolve(
      new JunctorError('BUG', `A message of backend "${backend}" could not be handled`, { cause: error }),
    )
    this.#channel.close('failed')
  }

  /** Skips a message. If a caller waits for it, the caller receives an error. */
  #skip(entry: Unreadable, text: string): void {
    const { id, situation, message, dialect = '2.0' } = entry
    const { backend, log, emit } = this.#parts
    emit({ kind: 'output_discarded', backend, reason: 'not_a_message' })
    log.warn('a backend sent input that is not a message', { backend, reason: message })
    const own = answeredBy(entry, text)
    if (own !== undefined) this.#receiver.message(invalidResponse(own, message, backend))
    else if (id !== undefined) {
      void this.send({ kind: 'error', dialect, id, error: wireError(situation, { ...view, dialect }, { message }) })
    }
  }
}
