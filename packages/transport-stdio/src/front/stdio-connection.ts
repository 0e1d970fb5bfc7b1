import type { Readable, Writable } from 'node:stream'
import { ClientConnection } from '@junctor/connection'
import type { EndReason } from '@junctor/exchange'
import type { Front, Identity, Log } from '@junctor/contracts'
import { settlesWithin } from '@junctor/primitives'
import { createLineDecoder, type LineDecoder, parseFrame } from '@junctor/jsonrpc'
import { createLineWriter, type LineWriter } from '../line-writer.ts'
import type { FrontLimits } from '../options.ts'

/** The two streams of a client, and who it is. */
export interface ConnectionParts {
  readonly front: Front
  readonly identity: Identity
  readonly input: Readable
  readonly output: Writable
  readonly limits: FrontLimits
  readonly log: Log
}

/** One client on a pair of streams: lines in both directions, one session. */
export class StdioConnection {
  /** Resolves when the session has ended and everything is written: with the error, if the output was lost. */
  readonly closed: Promise<Error | undefined>
  readonly #parts: ConnectionParts
  readonly #client: ClientConnection
  readonly #writer: LineWriter
  readonly #decoder: LineDecoder
  #finishing: EndReason | undefined
  #error: Error | undefined
  readonly #closed: PromiseWithResolvers<Error | undefined> = Promise.withResolvers<Error | undefined>()

  constructor(parts: ConnectionParts) {
    const { front, identity, input, output, limits, log } = parts
    this.#parts = parts
    this.closed = this.#closed.promise
    const client = new ClientConnection({
      transport: 'stdio',
      front,
      identity,
      log,
      write: (text) => this.#writer.write(text),
      ready: () => this.#regulate(),
      // The client keeps reading: the answer to its next request reports the end of its session.
      ended() {},
    })
    this.#client = client
    this.#writer = createLineWriter({
      output,
      maxBuffered: limits.buffered,
      onLost: (error) => this.#lose(error),
    })
    this.#decoder = createLineDecoder({
      maxBytes: limits.line,
      onLine: (text) => this.#take(text),
      onOverlong: () => client.refuse('too_large', `Expected a line of at most ${limits.line} bytes, got a longer one`),
      onInvalid: () => client.refuse('parse_error', 'Expected UTF-8, got other bytes'),
    })
    input.on('data', this.#read)
    input.once('end', this.#inputEnded)
    input.on('error', this.#inputEnded)
    input.once('close', this.#inputEnded)
  }

  /** Stops reading, answers received requests, ends the session. */
  async close(): Promise<void> {
    this.#finish('shutdown')
    await this.closed
  }

  /** Handles a line. An exception does not affect the next lines. */
  #take(text: string): void {
    try {
      this.#client.take(parseFrame(text, this.#parts.limits.frame))
    } catch (error) {
      this.#client.reportError(error)
    }
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      this.#decoder.push(chunk)
      this.#regulate()
    } catch (error) {
      this.#client.reportError(error)
    }
  }

  readonly #inputEnded = (): void => {
    if (this.#finishing !== undefined) return
    try {
      this.#decoder.end()
    } catch (error) {
      this.#client.reportError(error)
    }
    this.#finish('disconnected')
  }

  /** Continues reading, unless the client does not read its output, or has to wait for its session. */
  readonly #regulate = (): void => {
    if (this.#finishing !== undefined) return
    const { input } = this.#parts
    const { slow } = this.#writer
    if (!this.#client.opening && slow === undefined) input.resume()
    else input.pause()
    void slow?.then(this.#regulate)
  }

  #lose(error: Error): void {
    this.#error = error
    try {
      this.#client.lose()
    } catch (broken) {
      this.#client.reportError(broken)
    }
    this.#finish('disconnected')
  }

  #finish(reason: EndReason): void {
    if (this.#finishing !== undefined) return
    this.#finishing = reason
    const { input } = this.#parts
    input.off('data', this.#read)
    input.pause()
    this.#client.silence()
    void this.#end(reason).then(() => this.#closed.resolve(this.#error))
  }

  async #end(reason: EndReason): Promise<void> {
    const { drainMs } = this.#parts.limits
    await this.#client.conclude(reason, drainMs)
    await settlesWithin(this.#writer.flushed(), drainMs)
  }
}
