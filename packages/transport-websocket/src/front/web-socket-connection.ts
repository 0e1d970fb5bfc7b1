import type { Front, Head, Identity, Log } from '@junctor/contracts'
import { ServedConnection } from '@junctor/connection'
import { Channel, type ChannelEnd, type ChannelReader } from '../channel.ts'
import type { Connection } from '../connection.ts'
import type { FrontLimits } from '../options.ts'

/** An authenticated client, and its open connection. */
export interface ConnectionParts {
  readonly front: Front
  readonly identity: Identity
  /** The request that opened the connection. */
  readonly head: Head
  readonly connection: Connection
  readonly limits: FrontLimits
  readonly log: Log
}

/** One client on a WebSocket: one message or batch in each text frame, one session. */
export class WebSocketConnection implements ChannelReader {
  /** Resolves when the connection is gone and the session has ended. */
  readonly closed: Promise<void>
  readonly #log: Log
  readonly #served: ServedConnection
  readonly #over = Promise.withResolvers<void>()

  constructor({ connection, ...parts }: ConnectionParts) {
    const channel = new Channel(connection, parts.limits, this)
    this.#log = parts.log
    this.#served = new ServedConnection({ ...parts, transport: 'websocket', channel })
    this.closed = Promise.all([this.#served.ended, this.#over.promise]).then(() => undefined)
  }

  /** Accepts no more messages, waits for pending answers, ends the session and the connection. */
  async close(graceMs: number): Promise<void> {
    await this.#served.close(graceMs)
    await this.closed
  }

  text(text: string): void {
    this.#served.take(text)
  }

  over({ code, closedFor, cause }: ChannelEnd): void {
    if (closedFor === 'too_slow') this.#log.warn('a reader is too slow; its connection is closed')
    this.#log.debug('a WebSocket was closed', { code, closedFor, cause: cause?.message })
    this.#over.resolve()
    this.#served.lose()
  }

  failed(error: unknown): void {
    this.#served.fail(error)
  }
}
