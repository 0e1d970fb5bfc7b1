import type { Readable, Writable } from 'node:stream'
import { type EndReason, type Front, type Identity, LinkedList, type Log, type Origin } from '@junctor/exchange'
import {
  type Batch,
  createLineDecoder,
  type LineDecoder,
  type Message,
  type ParsedFrame,
  parseFrame,
  type Unreadable,
} from '@junctor/jsonrpc'
import { methods, type Situation, wireError } from '@junctor/protocol'
import { createLineWriter, type LineWriter } from '../line-writer.ts'
import type { FrontLimits } from '../options.ts'
import { within } from '../within.ts'
import { BatchAnswers } from './batch-answers.ts'
import { judgeBatch } from './judge-batch.ts'
import { LineSink, type SinkTarget } from './line-sink.ts'

export interface ConnectionParts {
  readonly front: Front
  readonly identity: Identity
  readonly input: Readable
  readonly output: Writable
  readonly limits: FrontLimits
  readonly log: Log
}

/** One client on a pair of streams: lines in, lines out, one session. */
export class StdioConnection implements SinkTarget {
  /** Resolves when the session has ended and all is written: with the error, if the output was lost. */
  readonly closed: Promise<Error | undefined>
  readonly #parts: ConnectionParts
  readonly #origin: Origin
  readonly #writer: LineWriter
  readonly #decoder: LineDecoder
  /** Requests that are not answered. */
  readonly #open = new LinkedList<LineSink>()
  /** Given with messages that are not answered. */
  readonly #unused: LineSink
  /** The session's own stream. */
  #stream: LineSink | undefined
  /** The `initialize` that is being answered: what comes after it is held until there is a session to give it to. */
  #opening: LineSink | undefined
  #held: ParsedFrame[] = []
  #finishing: EndReason | undefined
  #error: Error | undefined
  readonly #answered: PromiseWithResolvers<void> = Promise.withResolvers<void>()
  readonly #closed: PromiseWithResolvers<Error | undefined> = Promise.withResolvers<Error | undefined>()

  constructor(parts: ConnectionParts) {
    const { input, output, limits } = parts
    this.#parts = parts
    this.closed = this.#closed.promise
    this.#origin = {
      transport: 'stdio',
      identity: parts.identity,
      session: undefined,
      revision: undefined,
      dialect: '2.0',
    }
    this.#unused = new LineSink(this)
    this.#writer = createLineWriter({
      output,
      maxBuffered: limits.buffered,
      onLost: (error) => this.#lose(error),
    })
    this.#decoder = createLineDecoder({
      maxBytes: limits.line,
      onLine: (text) => this.#take(parseFrame(text, limits.frame)),
      onOverlong: () => this.#refuse('too_large', `Expected a line of at most ${limits.line} bytes, got a longer one`),
      onInvalid: () => this.#refuse('parse_error', 'Expected UTF-8, got other bytes'),
    })
    input.on('data', this.#read)
    input.once('end', this.#inputEnded)
    input.on('error', this.#inputEnded)
    input.once('close', this.#inputEnded)
  }

  /** Reads no more, answers what was read, ends the session. */
  async close(): Promise<void> {
    this.#finish('shutdown')
    await this.closed
  }

  frame(text: string): Promise<void> | undefined {
    return this.#writer.write(text)
  }

  finish(text: string, sink: LineSink): Promise<void> | undefined {
    const slow = text === '' ? undefined : this.#writer.write(text)
    // First what was held: until that is taken, there may be more to answer than is open.
    if (sink === this.#opening) this.#opened()
    this.#open.remove(sink.place)
    if (this.#open.first === undefined && this.#finishing !== undefined) this.#answered.resolve()
    return slow
  }

  readonly #read = (chunk: Buffer): void => {
    this.#decoder.push(chunk)
    this.#regulate()
  }

  readonly #inputEnded = (): void => {
    if (this.#finishing !== undefined) return
    this.#decoder.end()
    this.#finish('disconnected')
  }

  /** Reads on, unless the client does not read what it is sent, or has to wait for its session. */
  readonly #regulate = (): void => {
    if (this.#finishing !== undefined) return
    const { input } = this.#parts
    const { slow } = this.#writer
    if (this.#opening === undefined && slow === undefined) input.resume()
    else input.pause()
    void slow?.then(this.#regulate)
  }

  #take(frame: ParsedFrame): void {
    if (this.#opening !== undefined) this.#held.push(frame)
    else if (frame.kind === 'message') this.#receive(frame.message, this)
    else if (frame.kind === 'unreadable') this.#refuseUnreadable(frame)
    else this.#receiveBatch(frame)
  }

  #receive(message: Message, target: SinkTarget): void {
    const { front } = this.#parts
    if (message.kind !== 'request') return front.receive(message, this.#origin, this.#unused)
    const sink = new LineSink(target)
    this.#open.append(sink.place)
    if (message.method === methods.initialize && this.#origin.session === undefined) this.#opening = sink
    front.receive(message, this.#origin, sink)
  }

  #receiveBatch(batch: Batch): void {
    const refusal = judgeBatch(batch, this.#origin.session)
    if (refusal !== undefined) return this.#refuse('invalid_request', refusal)
    const { entries } = batch
    const answered = entries.filter(({ kind }) => kind === 'request' || kind === 'unreadable').length
    const answers = new BatchAnswers(this, answered)
    for (const entry of entries) {
      if (entry.kind === 'unreadable') answers.refuse(this.#refusal(entry))
      else this.#receive(entry, answers)
    }
  }

  #refuseUnreadable(frame: Unreadable): void {
    void this.#writer.write(this.#refusal(frame))
  }

  #refuse(situation: Situation, message: string): void {
    this.#parts.log.debug('A line could not be read', { situation, message })
    void this.#writer.write(this.#parts.front.refuse(situation, this.#origin, message).text)
  }

  #refusal({ situation, message, id, answers }: Unreadable): string {
    const { front, identity, log } = this.#parts
    const { session } = this.#origin
    log.debug('A line could not be read', { situation, message })
    if (answers !== undefined && session !== undefined) {
      // Nothing else will come for the question that this was to answer.
      const view = { revision: session.revision, dialect: '2.0', profile: identity.tenant.profile } as const
      const error = wireError(situation, view, { message })
      front.receive({ kind: 'error', dialect: '2.0', id: answers, error }, this.#origin, this.#unused)
    }
    return front.refuse(situation, this.#origin, message, id).text
  }

  /** The `initialize` is answered: unsolicited messages may follow, and so may what the client sent after it. */
  #opened(): void {
    const { session } = this.#origin
    this.#opening = undefined
    if (session !== undefined && this.#stream === undefined) {
      this.#stream = new LineSink(this)
      this.#parts.front.resume(session, undefined, this.#stream)
    }
    const held = this.#held
    this.#held = []
    for (const frame of held) this.#take(frame)
    this.#regulate()
  }

  #lose(error: Error): void {
    this.#error = error
    this.#loseSinks()
    this.#answered.resolve()
    this.#finish('disconnected')
  }

  #loseSinks(): void {
    for (const sink of this.#open.items()) {
      this.#open.remove(sink.place)
      sink.lose()
    }
    this.#stream?.lose()
  }

  #finish(reason: EndReason): void {
    if (this.#finishing !== undefined) return
    this.#finishing = reason
    const { input } = this.#parts
    input.off('data', this.#read)
    input.pause()
    if (this.#open.first === undefined) this.#answered.resolve()
    void this.#end(reason).then(() => this.#closed.resolve(this.#error))
  }

  async #end(reason: EndReason): Promise<void> {
    const { front, limits, log } = this.#parts
    const answered = await within(this.#answered.promise, limits.drainMs)
    if (!answered) log.warn('Requests were not answered in time', { requests: this.#open.items().length })
    const { session } = this.#origin
    try {
      // Before the sinks are closed: what is ended by this may still say so.
      if (session !== undefined) await front.end(session, reason)
    } catch (error) {
      log.error('A session did not end well', { error })
    }
    this.#loseSinks()
    await within(this.#writer.flushed(), limits.drainMs)
  }
}
