import { type FrameBounds, parseFrame } from '@junctor/jsonrpc'
import type { CredentialsListener, Head } from '@junctor/contracts'
import type { Situation } from '@junctor/protocol'
import type { EndReason } from '@junctor/exchange'
import { atTime } from './at-time.ts'
import { ClientConnection, type ClientConnectionParts } from './client-connection.ts'
import type { CloseReason } from './close-reason.ts'

/** A channel that carries texts: a WebSocket, a channel of NATS. */
export interface TextChannel {
  /** Set while the peer reads slowly. Resolves when the peer has caught up or is gone. */
  readonly slow: Promise<void> | undefined
  /** Sends one text. A returned promise is `slow`. */
  send(text: string): Promise<void> | undefined
  /** Pauses reading. Pings and pongs are still received. */
  pause(): void
  resume(): void
  /** Closes the channel, and reports the reason to the peer. */
  close(why: CloseReason): unknown
}

/** The channel of one client, and the limits that it has to keep. */
export interface ServedConnectionParts extends Omit<ClientConnectionParts, 'write' | 'ready' | 'ended'> {
  readonly channel: TextChannel
  /** The request that opened it, whose credentials are watched. Absent: they are good until they expire. */
  readonly head?: Head | undefined
  readonly limits: {
    readonly frame: FrameBounds
    /**
     * How long answers in progress are waited for when the credentials expire, in milliseconds. Values above 500 count
     * as 500.
     */
    readonly graceMs: number
  }
}

/** The longest time that a connection continues after its credentials have expired, in milliseconds. */
const longestExpiredMs = 500

/**
 * One client on a channel of texts, from its first message to the close. Each text is one message or one batch, and the
 * channel is one session.
 */
export class ServedConnection implements CredentialsListener {
  readonly #parts: ServedConnectionParts
  readonly #client: ClientConnection
  /** Why it ends. Undefined: it does not end yet. */
  #finishing: EndReason | undefined
  /** Cancels the timer that ends the connection when its credentials expire. */
  readonly #forgetExpiry: (() => void) | undefined
  readonly #forgetWatch: (() => void) | undefined
  readonly #ended = Promise.withResolvers<void>()

  constructor(parts: ServedConnectionParts) {
    const { channel, identity } = parts
    this.#parts = parts
    this.#client = new ClientConnection({
      ...parts,
      write: (text) => channel.send(text),
      ready: () => this.#regulate(),
      ended: () => void this.#finish('session_ended', 'done', 0),
    })
    this.#forgetExpiry =
      identity.expires === undefined
        ? undefined
        : atTime(
            identity.expires,
            () => this.withdrawn(),
            (error) => this.fail(error),
          )
    this.#forgetWatch = parts.head && parts.front.watch?.(parts.head, this)
  }

  /** Resolves when the session has ended and the channel is closed. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Processes a text that the client sent. */
  take(text: string): void {
    // While the node leaves, its client may answer the questions of open requests.
    if (this.#finishing !== undefined && this.#finishing !== 'shutdown') return
    try {
      this.#client.take(parseFrame(text, this.#parts.limits.frame))
      this.#regulate()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Ends the connection, because its credentials are no longer good. */
  withdrawn(): void {
    void this.#finish('disconnected', 'expired', Math.min(this.#parts.limits.graceMs, longestExpiredMs))
  }

  /** Ends the connection after an error that no caller waits for, because its state may be incomplete. */
  fail(error: unknown): void {
    this.#client.reportError(error)
    void this.#finish('session_ended', 'failed', 0)
  }

  /** Refuses input that is not a text. */
  refuse(situation: Situation, message: string): void {
    if (this.#finishing === undefined) this.#client.refuse(situation, message)
  }

  /** Called when the channel is gone. */
  lose(): void {
    // No caller above catches this error, and the transport must continue with its other clients.
    try {
      this.#client.lose()
    } catch (error) {
      this.#client.reportError(error)
    }
    void this.#finish('disconnected', 'done', 0)
  }

  /**
   * Accepts no more requests, waits up to `graceMs` milliseconds for answers in progress, then ends the session and
   * closes the channel.
   */
  async close(graceMs: number): Promise<void> {
    await this.#finish('shutdown', 'going_away', graceMs)
    await this.ended
  }

  /** Reads on, unless the client leaves messages unread or its session is being opened. */
  readonly #regulate = (): void => {
    if (this.#finishing !== undefined) return
    const { channel } = this.#parts
    const { slow } = channel
    try {
      if (!this.#client.opening && slow === undefined) return channel.resume()
      channel.pause()
    } catch (error) {
      return this.fail(error)
    }
    void slow?.then(this.#regulate)
  }

  async #finish(reason: EndReason, why: CloseReason, graceMs: number): Promise<void> {
    if (this.#finishing !== undefined) return
    this.#finishing = reason
    this.#forgetExpiry?.()
    this.#forgetWatch?.()
    const { channel } = this.#parts
    try {
      // Pings, pongs and the client's own close must still be received.
      channel.resume()
      await this.#client.conclude(reason, graceMs)
      channel.close(why)
    } catch (error) {
      this.#client.reportError(error)
    }
    this.#ended.resolve()
  }
}
