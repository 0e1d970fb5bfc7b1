import { ClientConnection, type EndReason, type Front, type Identity, type Log, within } from '@junctor/exchange'
import { parseFrame } from '@junctor/jsonrpc'
import { Channel, type ChannelEnd, type ChannelReader } from '../channel.ts'
import type { CloseReason } from '../close-codes.ts'
import type { Connection } from '../connection.ts'
import type { FrontLimits } from '../options.ts'

export interface ConnectionParts {
  readonly front: Front
  readonly identity: Identity
  readonly connection: Connection
  readonly limits: FrontLimits
  readonly log: Log
}

/** The longest time that a timer can be set to, in milliseconds: longer ones are set again. */
const longestTimerMs = 2 ** 31 - 1

/** One client on a WebSocket: one message or batch in each text frame, one session. */
export class WebSocketConnection implements ChannelReader {
  readonly #parts: ConnectionParts
  readonly #client: ClientConnection
  readonly #channel: Channel
  #finishing = false
  /** Ends it when the credentials that it was opened with are no longer good. */
  #expiry: NodeJS.Timeout | undefined
  readonly #over = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()

  constructor(parts: ConnectionParts) {
    const { front, identity, connection, limits, log } = parts
    this.#parts = parts
    this.#channel = new Channel(connection, limits, this)
    this.#client = new ClientConnection({
      transport: 'websocket',
      front,
      identity,
      log,
      write: (text) => this.#channel.send(text),
      ready: () => this.#regulate(),
      ended: () => void this.#finish('session_ended', 'done', 0),
    })
    this.#expireAt(identity.expires)
  }

  /** Resolves when the connection is gone and the session has ended. */
  get closed(): Promise<void> {
    return this.#closed.promise
  }

  /** Takes nothing any more, waits for answers that are under way, ends the session and the connection. */
  async close(graceMs: number): Promise<void> {
    await this.#finish('shutdown', 'going_away', graceMs)
    await this.closed
  }

  text(text: string): void {
    if (this.#finishing) return
    try {
      this.#client.take(parseFrame(text, this.#parts.limits.frame))
      this.#regulate()
    } catch (error) {
      this.#parts.log.error('A message on a WebSocket could not be handled', { error })
      void this.#finish('session_ended', 'failed', 0)
    }
  }

  over({ code, closedFor, cause }: ChannelEnd): void {
    const { log } = this.#parts
    if (closedFor === 'too_slow') log.warn('A reader is too slow; its connection is closed')
    log.debug('A WebSocket was closed', { code, closedFor, cause: cause?.message })
    clearTimeout(this.#expiry)
    this.#client.lose()
    this.#over.resolve()
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
    // That the client closes is still to be heard.
    this.#channel.resume()
    const answered = await within(this.#client.answered(), graceMs)
    if (!answered && graceMs > 0) {
      this.#parts.log.warn('Requests were not answered in time', { requests: this.#client.unanswered })
    }
    await this.#client.end(reason)
    this.#channel.close(why)
    await this.#over.promise
    this.#closed.resolve()
  }
}
