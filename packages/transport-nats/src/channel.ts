import { type ChannelLimits, PeerWatch } from '@junctor/connection'
import { decodeUtf8 } from '@junctor/jsonrpc'
import { headers, type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { type CloseReason, readCloseReason } from './close-reason.ts'
import { closeHeader, moreHeader } from './headers.ts'
import { MessageParts } from './message-parts.ts'
import { splitMessage } from './split-message.ts'

/** How a channel ended. */
export interface ChannelEnd {
  /** `lost`: the peer is gone without a word, or the connection to NATS was lost, and with it perhaps messages. */
  readonly reason: CloseReason | 'lost'
  /** Whether this side has ended it. */
  readonly own: boolean
}

/** Who reads from a channel. */
export interface ChannelReader {
  text(text: string): void
  /** What came is no message: no UTF-8, or too large. */
  unreadable(situation: 'parse_error' | 'too_large', message: string): void
  /** The channel is gone. Told once. */
  over(end: ChannelEnd): void
  /** Told of what this reader, or the channel, has thrown where nobody waits. Never throws. */
  failed(error: unknown): void
}

/** How a peer that was only just told of a channel is waited for. */
interface Join {
  /** How long it may take to listen, in milliseconds. */
  readonly ms: number
  /** It has answered a mark. Told once. */
  joined(): void
}

export interface ChannelParts {
  readonly connection: NatsConnection
  /** What this side hears. */
  readonly hears: string
  /** What the peer hears. */
  readonly speaks: string
  readonly limits: ChannelLimits
  /** The peer does not listen yet. Absent: it does. */
  readonly join?: Join
  readonly reader: ChannelReader
}

/** A peer that left this much unread, in bytes, is waited for. */
const windowBytes = 1024 * 1024
/** How often the peer is asked how far it has read. */
const markEvery = { bytes: 128 * 1024, messages: 64 }
/** What a message takes besides its text: headers, in what the server lets through; its place, where it waits. */
const headerBytes = 256
/** How often a peer that may listen soon is looked for, in milliseconds. */
const joinEveryMs = 20
const nothing = new Uint8Array()

/** What waits to be read: a message, or a question how far this side has read. */
type Kept = Uint8Array | 'too_large' | 'mark'

/**
 * Two subjects that two peers talk over, as they would over a connection: texts in and out, in order; slowness, signs of
 * life, an end. Each message names the subject that its sender hears for its reply, so that the server says when nobody
 * listens any more.
 */
export class Channel {
  readonly #parts: ChannelParts
  readonly #subscription: Subscription
  readonly #watch: PeerWatch
  readonly #whole: MessageParts
  #open = true
  /** What was sent since the last mark, and up to each mark that the peer has not reached. */
  #unmarked = { bytes: 0, messages: 0 }
  readonly #marks: number[] = []
  /** Bytes that the peer has not said to have read. */
  #unread = 0
  #drained: PromiseWithResolvers<void> | undefined
  #paused = false
  readonly #kept: Kept[] = []
  #keptBytes = 0
  #taking = false
  /** While the peer does not listen yet: until when it may begin to, by `performance.now`. */
  #joinUntil: number | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(parts: ChannelParts) {
    const { connection, hears, limits } = parts
    this.#parts = parts
    this.#whole = new MessageParts(limits.body)
    this.#watch = new PeerWatch({
      keepAliveMs: limits.streamKeepAliveMs,
      stalledMs: limits.stalledMs,
      ask: () => this.#mark(),
      gone: () => this.lose(),
      failed: (error) => parts.reader.failed(error),
    })
    this.#subscription = connection.subscribe(hears, {
      callback: (lost, message) => {
        try {
          if (lost === null) this.#hear(message)
          else this.lose()
        } catch (error) {
          parts.reader.failed(error)
        }
      },
    })
    if (parts.join === undefined) return
    this.#joinUntil = performance.now() + parts.join.ms
    // Not before whoever made the channel has it.
    this.#retry = setTimeout(this.#markAgain, 0)
  }

  /** Set while the peer is slow; resolves when it has caught up, or is gone. The same promise for all who wait. */
  get slow(): Promise<void> | undefined {
    if (!this.#open || this.#unread < windowBytes) return undefined
    this.#drained ??= Promise.withResolvers<void>()
    return this.#drained.promise
  }

  /** Sends one text. A promise is `slow`: wait for it before the next. */
  send(text: string): Promise<void> | undefined {
    if (!this.#open) return undefined
    // One text of any length fits, but not behind this much.
    if (this.#unread >= this.#parts.limits.buffered) return this.close('too_slow')
    const { connection } = this.#parts
    const parts = splitMessage(Buffer.from(text), (connection.info?.max_payload ?? 1_048_576) - headerBytes)
    for (const [index, part] of parts.entries()) {
      this.#publish(part, index < parts.length - 1 ? withHeader(moreHeader, '1') : undefined)
      this.#count(part.length + headerBytes)
    }
    return this.slow
  }

  /** Reads no more, until `resume`. */
  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#read()
  }

  /** Says goodbye, and hears nothing more. What was sent before still goes. */
  close(reason: CloseReason): undefined {
    if (!this.#open) return
    this.#publish(nothing, withHeader(closeHeader, reason))
    this.#end({ reason, own: true })
  }

  /** The peer, or the way to it, is lost. */
  lose(): void {
    this.#end({ reason: 'lost', own: false })
  }

  #hear(message: Msg): void {
    if (!this.#open) return
    const { data, reply = '', headers: said } = message
    if (data.length === 0) {
      if (said?.code === 503) return this.#nobody()
      const goodbye = said?.get(closeHeader) ?? ''
      if (goodbye !== '') return this.#end({ reason: readCloseReason(goodbye), own: false })
    }
    // Of a peer that is asked how far it has read only the answer counts.
    if (this.#marks.length === 0 || (data.length === 0 && reply === '')) this.#watch.heard()
    if (data.length > 0) this.#take(data, said?.has(moreHeader) === true)
    else if (reply === '') this.#reached()
    else this.#keep('mark', 0)
  }

  #take(part: Uint8Array, more: boolean): void {
    const message = this.#whole.take(part, more)
    if (message !== undefined) this.#keep(message, message.length)
  }

  /** In the order of their coming, however many wait. */
  #keep(kept: Kept, bytes: number): void {
    this.#kept.push(kept)
    this.#keptBytes += bytes
    this.#read()
    if (this.#keptBytes > this.#parts.limits.buffered) this.close('too_slow')
  }

  #read(): void {
    if (this.#taking) return
    this.#taking = true
    try {
      while (!this.#paused && this.#open) {
        const kept = this.#kept.shift()
        if (kept === undefined) break
        this.#give(kept)
      }
    } finally {
      this.#taking = false
    }
  }

  #give(kept: Kept): void {
    const { reader, limits, connection, speaks } = this.#parts
    if (kept === 'mark') {
      if (!connection.isClosed() && !connection.isDraining()) connection.publish(speaks)
      return
    }
    if (kept === 'too_large') {
      return reader.unreadable('too_large', `Expected a message of at most ${limits.body} bytes, got a larger one`)
    }
    this.#keptBytes -= kept.length
    const text = decodeUtf8(kept)
    if (text === undefined) reader.unreadable('parse_error', 'Expected UTF-8, got other bytes')
    else reader.text(text)
  }

  #count(bytes: number): void {
    this.#unread += bytes
    this.#unmarked.bytes += bytes
    this.#unmarked.messages += 1
    if (this.#unmarked.bytes >= markEvery.bytes || this.#unmarked.messages >= markEvery.messages) this.#mark()
  }

  /** An empty message that wants an answer: whoever gives it has read all that came before. */
  #mark(): void {
    if (!this.#open) return
    this.#marks.push(this.#unmarked.bytes)
    this.#unmarked = { bytes: 0, messages: 0 }
    this.#publish(nothing)
  }

  readonly #markAgain = (): void => {
    try {
      this.#mark()
    } catch (error) {
      this.#parts.reader.failed(error)
    }
  }

  /** Nobody listens to what was sent. */
  #nobody(): void {
    if (this.#joinUntil === undefined || performance.now() > this.#joinUntil) return this.lose()
    // It was a mark: nothing else is sent so early.
    this.#marks.pop()
    this.#retry = setTimeout(this.#markAgain, joinEveryMs)
  }

  /** The peer has read all up to the oldest mark. */
  #reached(): void {
    if (this.#joinUntil !== undefined) {
      this.#joinUntil = undefined
      this.#parts.join?.joined()
    }
    this.#unread -= this.#marks.shift() ?? 0
    if (this.#unread < windowBytes) this.#settleDrained()
  }

  #publish(body: Uint8Array, headersOfIt?: MsgHdrs): void {
    const { connection, hears, speaks } = this.#parts
    if (connection.isClosed() || connection.isDraining()) return this.lose()
    connection.publish(speaks, body, { reply: hears, ...(headersOfIt !== undefined && { headers: headersOfIt }) })
  }

  #end(end: ChannelEnd): void {
    if (!this.#open) return
    this.#open = false
    this.#watch.stop()
    clearTimeout(this.#retry)
    this.#subscription.unsubscribe()
    this.#kept.length = 0
    this.#settleDrained()
    this.#parts.reader.over(end)
  }

  #settleDrained(): void {
    this.#drained?.resolve()
    this.#drained = undefined
  }
}

function withHeader(name: string, value: string): MsgHdrs {
  const made = headers()
  made.set(name, value)
  return made
}
