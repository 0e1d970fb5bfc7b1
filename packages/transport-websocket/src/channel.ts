import { PeerWatch } from '@junctor/connection'
import { closeCodes, type CloseReason } from './close-codes.ts'
import type { Connection } from './connection.ts'
import type { WebSocketLimits } from './options.ts'

/** How a connection ended. */
export interface ChannelEnd {
  /** The peer's close code; 1005 when it gave none, 1006 when it went without a word. */
  readonly code: number
  /** What the peer said to it. */
  readonly text: string
  /** What this side has closed it for. */
  readonly closedFor: CloseReason | undefined
  readonly cause: Error | undefined
}

/** Who reads from a connection. */
export interface ChannelReader {
  text(text: string): void
  /** The connection is gone. Told once. */
  over(end: ChannelEnd): void
  /** Told of what this reader, or the channel, has thrown where nobody waits. Never throws. */
  failed(error: unknown): void
}

/** What has gathered this much in one turn, in bytes, is written at once. */
const writtenAtOnce = 64 * 1024

/** One open WebSocket: texts in, texts out, those of one turn of the event loop in one write. */
export class Channel {
  readonly #socket: Connection['socket']
  readonly #wire: Connection['wire']
  readonly #limits: WebSocketLimits
  readonly #reader: ChannelReader
  readonly #watch: PeerWatch
  #state: 'open' | 'closing' | 'over' = 'open'
  #closedFor: CloseReason | undefined
  #cause: Error | undefined
  #corked = false
  #paused = false
  #taking = false
  /** What came with the last read before the pause. */
  readonly #kept: string[] = []
  #drained: PromiseWithResolvers<void> | undefined

  constructor({ socket, wire }: Connection, limits: WebSocketLimits, reader: ChannelReader) {
    this.#socket = socket
    this.#wire = wire
    this.#limits = limits
    this.#reader = reader
    this.#watch = new PeerWatch({
      keepAliveMs: limits.streamKeepAliveMs,
      stalledMs: limits.stalledMs,
      ask: () => this.#ask(),
      gone: () => this.#give('The peer was silent for too long'),
      failed: (error) => reader.failed(error),
    })
    const heard = (): void => this.#watch.heard()
    socket.on('message', (data: Buffer, isBinary) => {
      heard()
      if (this.#state !== 'open') return
      try {
        if (isBinary) this.close('binary')
        // Its encoding has been checked.
        else this.#take(data.toString())
      } catch (error) {
        reader.failed(error)
      }
    })
    socket.on('ping', heard)
    socket.on('pong', heard)
    // What is wrong with a frame ends the connection, and so does what is wrong with the network.
    socket.on('error', (error) => (this.#cause ??= error))
    socket.once('close', (code, text) => {
      this.#state = 'over'
      this.#watch.stop()
      this.#settleDrained()
      try {
        reader.over({ code, text: text.toString(), closedFor: this.#closedFor, cause: this.#cause })
      } catch (error) {
        reader.failed(error)
      }
    })
    wire.on('drain', () => {
      heard()
      this.#settleDrained()
    })
    socket.resume()
  }

  /** Set while the peer is slow; resolves when it has caught up, or is gone. The same promise for all who wait. */
  get slow(): Promise<void> | undefined {
    if (this.#state !== 'open' || !this.#wire.writableNeedDrain) return undefined
    this.#drained ??= Promise.withResolvers<void>()
    return this.#drained.promise
  }

  /** Sends one text. A promise is `slow`: wait for it before the next. */
  send(text: string): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined
    const wire = this.#wire
    // One text of any length fits, but not behind this much.
    if (wire.writableLength >= this.#limits.buffered) return this.close('too_slow')
    if (!this.#corked) {
      this.#corked = true
      wire.cork()
      // Not in the next tick: that comes after each socket that is read, and this after all that were ready.
      setImmediate(this.#uncork)
    }
    this.#socket.send(text)
    if (wire.writableLength >= writtenAtOnce) {
      wire.uncork()
      wire.cork()
    }
    return this.slow
  }

  /** Reads no more, until `resume`. */
  pause(): void {
    if (this.#paused) return
    this.#paused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    if (this.#taking) return
    this.#taking = true
    try {
      while (!this.#paused) {
        const text = this.#kept.shift()
        if (text === undefined) break
        this.#read(text)
      }
    } finally {
      this.#taking = false
    }
    if (!this.#paused) this.#socket.resume()
  }

  /** Ends the connection; `over` is told when the peer agrees, or after `closeMs`. What was sent before still goes. */
  close(reason: CloseReason): undefined {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    this.#closedFor = reason
    const { code, text } = closeCodes[reason]
    this.#socket.close(code, text)
    // The peer's own close has to be read.
    this.#kept.length = 0
    this.resume()
    this.#settleDrained()
  }

  #take(text: string): void {
    if (this.#paused) this.#kept.push(text)
    else this.#read(text)
  }

  #read(text: string): void {
    if (this.#state === 'open') this.#reader.text(text)
  }

  #ask(): void {
    if (this.#state === 'open') this.#socket.ping()
  }

  #give(why: string): void {
    this.#cause ??= new Error(why)
    this.#socket.terminate()
  }

  readonly #uncork = (): void => {
    this.#corked = false
    this.#wire.uncork()
  }

  #settleDrained(): void {
    this.#drained?.resolve()
    this.#drained = undefined
  }
}
