import { Socket } from 'node:net'
import { PeerWatch } from '@junctor/connection'
import { ReadTurns, SharedWait } from '@junctor/primitives'
import { WebSocket } from 'ws'
import { closeCodes, type SocketCloseReason } from './close-codes.ts'
import type { Connection } from './connection.ts'
import type { WebSocketLimits } from './options.ts'

/** How a connection ended. */
export interface ChannelEnd {
  /** The peer's close code; 1005 when it sent none, 1006 when it vanished without a close. */
  readonly code: number
  /** The peer's reason. */
  readonly text: string
  /** The reason for which this side has closed the connection, if it has. */
  readonly closedFor: SocketCloseReason | undefined
  readonly cause: Error | undefined
}

/** Receives the events of a connection. */
export interface ChannelReader {
  text(text: string): void
  /** Called once, when the connection is gone. */
  over(end: ChannelEnd): void
  /** Called with an exception of this reader or the channel that no caller would catch. Never throws. */
  failed(error: unknown): void
}

/** How many bytes may be collected in one turn before they are written immediately. */
const writtenAtOnce = 64 * 1024

/** One open WebSocket: sends and receives texts; the texts of one turn of the event loop are one write. */
export class Channel {
  readonly #socket: Connection['socket']
  readonly #wire: Connection['wire']
  readonly #limits: WebSocketLimits
  readonly #reader: ChannelReader
  readonly #watch: PeerWatch
  #state: 'open' | 'closing' | 'over' = 'open'
  #closedFor: SocketCloseReason | undefined
  #cause: Error | undefined
  #corked = false
  #paused = false
  #taking = false
  readonly #turns = new ReadTurns()
  /** Texts of the last read before the pause. */
  readonly #kept: string[] = []
  readonly #drained = new SharedWait()

  constructor({ socket, wire }: Connection, limits: WebSocketLimits, reader: ChannelReader) {
    this.#socket = socket
    this.#wire = wire
    this.#limits = limits
    this.#reader = reader
    this.#watch = new PeerWatch({
      keepAliveMs: limits.streamKeepAliveMs,
      stalledMs: limits.stalledMs,
      ask: () => this.#ask(),
      gone: () => this.#judgeSilent(),
      failed: (error) => reader.failed(error),
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (this.#state !== 'open') return
      try {
        if (isBinary) this.close('binary')
        // `ws` has checked the encoding.
        else this.#take(data.toString())
      } catch (error) {
        reader.failed(error)
      }
    })
    // An invalid frame ends the connection, and so does an error of the network.
    socket.on('error', (error) => (this.#cause ??= error))
    socket.once('close', (code, text) => this.#over(code, text.toString()))
    // Not each message: the bytes of a long one may arrive for longer than a peer may be silent.
    wire.on('data', ({ length }: Buffer) => {
      this.#watch.received()
      this.#takeTurns(length)
    })
    wire.on('drain', () => {
      this.#watch.received()
      this.#drained.end()
    })
    // The socket also notices what its peer takes of one long text. Over TLS, Node notices only when all of it is taken.
    if (wire instanceof Socket) {
      wire.on('timeout', () => {
        if (wire.writableLength > 0) this.#giveUp()
      })
      wire.setTimeout(limits.stalledMs)
    }
    socket.resume()
    // A reader may be attached long after the connection was opened. Later, so that the caller has the channel first.
    if (socket.readyState === WebSocket.CLOSED) setImmediate(() => this.#over(1006, ''))
  }

  /** Set while the peer is slow; resolves when it has caught up, or is gone. All callers get the same promise. */
  get slow(): Promise<void> | undefined {
    if (this.#state !== 'open' || !this.#wire.writableNeedDrain) return undefined
    return this.#drained.wait()
  }

  /** Sends one text. When it returns a promise (`slow`), wait for it before the next text. */
  send(text: string): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined
    const wire = this.#wire
    // One text of any length is accepted, but not while this much is waiting.
    if (wire.writableLength >= this.#limits.buffered) return this.close('too_slow')
    if (!this.#corked) {
      this.#corked = true
      wire.cork()
      // Not in the next tick, which runs after each socket that is read: `setImmediate` runs after all ready sockets.
      setImmediate(this.#uncork)
    }
    this.#socket.send(text)
    if (wire.writableLength >= writtenAtOnce) {
      wire.uncork()
      wire.cork()
    }
    return this.slow
  }

  /** Stops reading until `resume`. */
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

  /** Ends the connection; `over` is called when the peer agrees, or after `closeMs`. Earlier texts are still sent. */
  close(reason: SocketCloseReason): undefined {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    this.#closedFor = reason
    const { code, text } = closeCodes[reason]
    this.#socket.close(code, text)
    // The peer's own close must be read.
    this.#kept.length = 0
    this.resume()
    this.#drained.end()
  }

  #take(text: string): void {
    if (this.#paused) this.#kept.push(text)
    else this.#read(text)
  }

  #takeTurns(length: number): void {
    if (!this.#turns.isOver(length)) return
    this.#socket.pause()
    setImmediate(() => {
      if (!this.#paused) this.#socket.resume()
    })
  }

  #read(text: string): void {
    if (this.#state === 'open') this.#reader.text(text)
  }

  #over(code: number, text: string): void {
    this.#state = 'over'
    this.#watch.stop()
    this.#drained.end()
    try {
      this.#reader.over({ code, text, closedFor: this.#closedFor, cause: this.#cause })
    } catch (error) {
      this.#reader.failed(error)
    }
  }

  #ask(): void {
    if (this.#state === 'open') this.#socket.ping()
  }

  /** A peer answers no ping before it has read what was sent before: until then, the socket notices whether it reads. */
  #judgeSilent(): void {
    if (this.#wire instanceof Socket && this.#wire.writableLength > 0) this.#watch.received()
    else this.#giveUp()
  }

  #giveUp(): void {
    this.#cause ??= new Error('The peer was silent for too long')
    this.#socket.terminate()
  }

  readonly #uncork = (): void => {
    this.#corked = false
    this.#wire.uncork()
  }
}
