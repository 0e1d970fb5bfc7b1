import { type ChannelLimits, type CloseReason, PeerWatch } from '@junctor/connection'
import { decodeUtf8 } from '@junctor/jsonrpc'
import { headersOf, maxPayloadOf } from '@junctor/nats'
import { LinkedList, ListNode, SharedWait } from '@junctor/primitives'
import { headers, type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { closeHeader, moreHeader } from './headers.ts'
import { MessageParts } from './message-parts.ts'
import { splitMessage } from './split-message.ts'

/** How a channel ended. */
export interface ChannelEnd {
  /** `lost`: the peer vanished without a close, or the connection to NATS was lost, perhaps with messages. */
  readonly reason: CloseReason | 'lost'
  /** Whether this side has ended it. */
  readonly own: boolean
}

/** Receives the events of a channel. */
export interface ChannelReader {
  text(text: string): void
  /** Called for input that is not a message: not UTF-8, or too large. */
  unreadable(situation: 'parse_error' | 'too_large', message: string): void
  /** Called once, when the channel is gone. */
  over(end: ChannelEnd): void
  /** Called with an exception of this reader or the channel that no caller would catch. Never throws. */
  failed(error: unknown): void
}

/** How to wait for a peer that has only just received the name of a channel. */
interface Join {
  /** How long the peer may take to subscribe, in milliseconds. */
  readonly ms: number
  /** Called once, when the peer has answered a mark. */
  joined(): void
}

/** The two subjects of a channel, its limits, and who receives what arrives. */
export interface ChannelParts {
  readonly connection: NatsConnection
  /** The subject that this side subscribes to. */
  readonly receivesOn: string
  /** The subject that this side publishes to. */
  readonly sendsOn: string
  readonly limits: ChannelLimits
  /** Set when the peer does not subscribe yet. */
  readonly join?: Join
  readonly reader: ChannelReader
}

/** How many unread bytes of a peer make senders wait. */
const windowBytes = 1024 * 1024
/** How often a mark is sent to learn how far the peer has read. */
const markEvery = { bytes: 128 * 1024, messages: 64 }
/** The size of a message besides its text: its headers, within the server's limit; its place in the queue. */
const headerBytes = 256
/** How often to look for a peer that may subscribe soon, in milliseconds. */
const joinEveryMs = 20
const nothing = new Uint8Array()

/** An entry that waits to be read: a message, or a mark of the peer. */
type Kept = Uint8Array | 'too_large' | 'mark'

/**
 * A connection between two peers over two subjects: sends and receives texts in order, with backpressure, keep-alive
 * and close. Each message has the subject that its sender subscribes to as reply subject, so that the server reports
 * when there is no subscriber any more.
 */
export class Channel {
  readonly #parts: ChannelParts
  readonly #subscription: Subscription
  readonly #watch: PeerWatch
  readonly #whole: MessageParts
  #open = true
  /** What was sent since the last mark, and up to each mark that the peer has not answered. */
  #unmarked = { bytes: 0, messages: 0 }
  readonly #marks: number[] = []
  /** Bytes that the peer has not acknowledged yet. */
  #unread = 0
  readonly #drained = new SharedWait()
  #paused = false
  /** A list: to remove the first of many entries of an array is slow. */
  #kept = new LinkedList<Kept>()
  #keptBytes = 0
  #taking = false
  /** While the peer does not subscribe yet: the time until which it may begin, by `performance.now`. */
  #joinUntil: number | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(parts: ChannelParts) {
    const { connection, receivesOn, limits } = parts
    this.#parts = parts
    this.#whole = new MessageParts(limits.body)
    // First: it throws on a connection that drains or is closed, and nothing may be left then.
    this.#subscription = connection.subscribe(receivesOn, {
      callback: (lost, message) => {
        try {
          if (lost === null) this.#receive(message)
          else this.lose()
        } catch (error) {
          parts.reader.failed(error)
        }
      },
    })
    this.#watch = new PeerWatch({
      keepAliveMs: limits.streamKeepAliveMs,
      stalledMs: limits.stalledMs,
      ask: () => this.#mark(),
      gone: () => this.lose(),
      failed: (error) => parts.reader.failed(error),
    })
    if (parts.join === undefined) return
    this.#joinUntil = performance.now() + parts.join.ms
    // Later, so that the code that creates the channel has it first.
    this.#retry = setTimeout(this.#markAgain, 0)
  }

  /** Set while the peer is slow; resolves when it has caught up, or is gone. All callers get the same promise. */
  get slow(): Promise<void> | undefined {
    if (!this.#open || this.#unread < windowBytes) return undefined
    return this.#drained.wait()
  }

  /** Sends one text. When it returns a promise (`slow`), wait for it before the next text. */
  send(text: string): Promise<void> | undefined {
    if (!this.#open) return undefined
    // One text of any length is accepted, but not while this much is waiting.
    if (this.#unread >= this.#parts.limits.buffered) return this.close('too_slow')
    const { connection } = this.#parts
    const parts = splitMessage(Buffer.from(text), maxPayloadOf(connection) - headerBytes)
    for (const [index, part] of parts.entries()) {
      this.#publish(part, index < parts.length - 1 ? withHeader(moreHeader, '1') : undefined)
      this.#count(part.length + headerBytes)
    }
    return this.slow
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#read()
  }

  /** Closes the channel, and reads nothing more. Earlier texts are still sent. */
  close(reason: CloseReason): undefined {
    if (!this.#open) return
    this.#publish(nothing, withHeader(closeHeader, reason))
    this.#end({ reason, own: true })
  }

  /** Ends the channel, because the peer or the connection to it is lost. */
  lose(): void {
    this.#end({ reason: 'lost', own: false })
  }

  #receive(message: Msg): void {
    if (!this.#open) return
    const { data, reply = '' } = message
    const messageHeaders = headersOf(message)
    if (data.length === 0) {
      if (messageHeaders?.code === 503) return this.#noSubscriber()
      const goodbye = messageHeaders?.get(closeHeader) ?? ''
      if (goodbye !== '') return this.#end({ reason: readCloseReason(goodbye), own: false })
    }
    // While a mark is pending, only its answer shows that the peer is alive.
    if (this.#marks.length === 0 || (data.length === 0 && reply === '')) this.#watch.received()
    if (data.length > 0) this.#take(data, messageHeaders?.has(moreHeader) === true)
    else if (reply === '') this.#reached()
    else this.#keep('mark')
  }

  #take(part: Uint8Array, more: boolean): void {
    const message = this.#whole.take(part, more)
    if (message !== undefined) this.#keep(message)
  }

  /** Queues an entry in the order of arrival. */
  #keep(kept: Kept): void {
    // A message that waits is copied: else it would hold all that was received with it.
    const entry = this.#paused && typeof kept !== 'string' ? new Uint8Array(kept) : kept
    this.#kept.append(new ListNode(entry))
    this.#keptBytes += sizeOf(entry)
    this.#read()
    if (this.#keptBytes > this.#parts.limits.buffered) this.close('too_slow')
  }

  #read(): void {
    if (this.#taking) return
    this.#taking = true
    try {
      while (!this.#paused && this.#open) {
        const { first } = this.#kept
        if (first === undefined) break
        this.#kept.remove(first)
        this.#keptBytes -= sizeOf(first.item)
        this.#give(first.item)
      }
    } finally {
      this.#taking = false
    }
  }

  #give(kept: Kept): void {
    const { reader, limits, connection, sendsOn } = this.#parts
    if (kept === 'mark') {
      if (!connection.isClosed() && !connection.isDraining()) connection.publish(sendsOn)
      return
    }
    if (kept === 'too_large') {
      return reader.unreadable('too_large', `Expected a message of at most ${limits.body} bytes, got a larger one`)
    }
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

  /** Sends an empty message that asks for an answer: a peer that answers has read all earlier messages. */
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

  /** Called when there is no subscriber for a message. */
  #noSubscriber(): void {
    if (this.#joinUntil === undefined || performance.now() > this.#joinUntil) return this.lose()
    // The message was a mark: nothing else is sent this early.
    this.#marks.pop()
    this.#retry = setTimeout(this.#markAgain, joinEveryMs)
  }

  /** Called when the peer has read all messages up to the oldest mark. */
  #reached(): void {
    if (this.#joinUntil !== undefined) {
      this.#joinUntil = undefined
      this.#parts.join?.joined()
    }
    this.#unread -= this.#marks.shift() ?? 0
    if (this.#unread < windowBytes) this.#drained.end()
  }

  #publish(body: Uint8Array, headersOfIt?: MsgHdrs): void {
    const { connection, receivesOn, sendsOn } = this.#parts
    if (connection.isClosed() || connection.isDraining()) return this.lose()
    connection.publish(sendsOn, body, { reply: receivesOn, ...(headersOfIt !== undefined && { headers: headersOfIt }) })
  }

  #end(end: ChannelEnd): void {
    if (!this.#open) return
    this.#open = false
    this.#watch.stop()
    clearTimeout(this.#retry)
    this.#subscription.unsubscribe()
    this.#kept = new LinkedList()
    this.#drained.end()
    this.#parts.reader.over(end)
  }
}

/** What an entry that waits counts: as much as its sender counts for it, so that tiny ones are bounded, too. */
function sizeOf(kept: Kept): number {
  return headerBytes + (typeof kept === 'string' ? 0 : kept.length)
}

function withHeader(name: string, value: string): MsgHdrs {
  const made = headers()
  made.set(name, value)
  return made
}

const reasons: ReadonlySet<string> = new Set<CloseReason>(['done', 'going_away', 'expired', 'too_slow', 'failed'])

/** Parses the reason of a peer, in the header `Junctor-Close`; an unknown reason counts as `done`. */
function readCloseReason(text: string): CloseReason {
  return reasons.has(text) ? (text as CloseReason) : 'done'
}
