import { type FrameBounds, parseFrame } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import type { EndReason } from '@junctor/exchange'
import { atTime } from './at-time.ts'
import { ClientConnection, type ClientConnectionParts } from './client-connection.ts'

/** Why a connection is ended by this side: the transport says it to its peer in words of its own. */
export type Goodbye = 'done' | 'going_away' | 'expired' | 'failed'

/** What texts come and go on: a WebSocket, a channel of NATS. */
export interface TextChannel {
  /** Set while the peer reads slowly; resolves when it has caught up, or is gone. */
  readonly slow: Promise<void> | undefined
  /** Sends one text. A promise is `slow`. */
  send(text: string): Promise<void> | undefined
  /** Reads no more for now. Signs of life are still heard. */
  pause(): void
  resume(): void
  /** Says goodbye. */
  close(why: Goodbye): unknown
}

export interface ServedConnectionParts extends Omit<ClientConnectionParts, 'write' | 'ready' | 'ended'> {
  readonly channel: TextChannel
  readonly limits: {
    readonly frame: FrameBounds
    /** How long answers that are under way are waited for when the credentials expire, in milliseconds: at most half a second. */
    readonly graceMs: number
  }
}

/** Credentials that have expired open nothing for longer than this, in milliseconds. */
const longestExpiredMs = 500

/** One client on a channel of texts, from its first message to the goodbye: one message or batch in each, one session. */
export class ServedConnection {
  readonly #parts: ServedConnectionParts
  readonly #client: ClientConnection
  #finishing = false
  /** Ends it when the credentials that it was opened with are no longer good. */
  readonly #forgetExpiry: (() => void) | undefined
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
            () => void this.#finish('disconnected', 'expired', Math.min(parts.limits.graceMs, longestExpiredMs)),
            (error) => this.fail(error),
          )
  }

  /** Resolves when the session has ended, and goodbye is said. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Takes what the client sent. */
  take(text: string): void {
    if (this.#finishing) return
    try {
      this.#client.take(parseFrame(text, this.#parts.limits.frame))
      this.#regulate()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Something of this connection has thrown where nobody waits: what it holds may be half done, so it is ended. */
  fail(error: unknown): void {
    this.#client.caught(error)
    void this.#finish('session_ended', 'failed', 0)
  }

  /** Answers what is no text at all. */
  refuse(situation: Situation, message: string): void {
    if (!this.#finishing) this.#client.refuse(situation, message)
  }

  /** The channel is gone. */
  lose(): void {
    this.#forgetExpiry?.()
    // Nobody is above this: whoever lost the channel goes on with its other clients.
    try {
      this.#client.lose()
    } catch (error) {
      this.#client.caught(error)
    }
    void this.#finish('disconnected', 'done', 0)
  }

  /** Takes nothing any more, waits for answers that are under way, ends the session and the channel. */
  async close(graceMs: number): Promise<void> {
    await this.#finish('shutdown', 'going_away', graceMs)
    await this.ended
  }

  /** Reads on, unless the client does not read what it is sent, or has to wait for its session. */
  readonly #regulate = (): void => {
    if (this.#finishing) return
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

  async #finish(reason: EndReason, why: Goodbye, graceMs: number): Promise<void> {
    if (this.#finishing) return
    this.#finishing = true
    const { channel } = this.#parts
    try {
      // Signs of life, and the client's own goodbye, are still to be heard.
      channel.resume()
      await this.#client.conclude(reason, graceMs)
      channel.close(why)
    } catch (error) {
      this.#client.caught(error)
    }
    this.#ended.resolve()
  }
}
