import { type Batch, entriesOf, type Message, type ParsedFrame, type Unreadable } from '@junctor/jsonrpc'
import { methods, type Situation, wireError } from '@junctor/protocol'
import type { Front, Origin, Identity, Log } from '@junctor/contracts'
import { LinkedList, settlesWithin } from '@junctor/primitives'
import type { EndReason } from '@junctor/exchange'
import { BatchAnswers } from './batch-answers.ts'
import { isAnswered, notificationOf } from './is-answered.ts'
import { judgeBatch } from './judge-batch.ts'
import { RoundSink, type SideStream, type SinkTarget } from './round-sink.ts'

/** What a connection needs. */
export interface ClientConnectionParts {
  readonly transport: Origin['transport']
  readonly front: Front
  readonly identity: Identity
  readonly log: Log
  /** Sends one frame to the client. It returns a promise while the client reads slowly. */
  write(text: string): Promise<void> | undefined
  /** Called when all held frames are processed: the transport may continue to read. */
  ready(): void
  /**
   * Opens another place of the transport for a stream. Absent: the transport has no other place. Undefined: it has none
   * for this stream.
   */
  redirect?(lost: () => void): SideStream | undefined
  /** Called when the session has ended on its own, so that its own stream is over. */
  ended(): void
}

/**
 * One client on a connection that is its session: stdio, a WebSocket. It receives and sends frames; the transport
 * handles the bytes and decides when to read.
 */
export class ClientConnection implements SinkTarget {
  readonly #parts: ClientConnectionParts
  readonly #origin: Origin
  /** Requests that are not answered yet. */
  readonly #open = new LinkedList<RoundSink>()
  /** Those of them that have no end of their own: subscriptions (2026-07-28). */
  readonly #endless = new Set<RoundSink>()
  /** The sink for messages that are never answered. */
  readonly #unused: RoundSink
  /** The session's own stream. */
  #stream: RoundSink | undefined
  /**
   * The sink of the `initialize` that is being answered. Frames that arrive after it are held until the session exists.
   */
  #opening: RoundSink | undefined
  #held: ParsedFrame[] = []
  #answered: PromiseWithResolvers<void> | undefined
  #lost = false
  #silent = false

  constructor(parts: ClientConnectionParts) {
    const { transport, identity } = parts
    this.#parts = parts
    this.#origin = {
      transport,
      identity,
      session: undefined,
      revision: undefined,
      dialect: '2.0',
      ...(parts.redirect !== undefined && { redirects: true }),
    }
    this.#unused = new RoundSink(this)
  }

  /** Whether the session is being opened. The transport should not read until `ready` is called. */
  get opening(): boolean {
    return this.#opening !== undefined
  }

  /**
   * Processes a frame that the client sent. Returns false when it contains a request that is ignored, because this node
   * leaves.
   */
  take(frame: ParsedFrame): boolean {
    if (this.#answered !== undefined) return this.#takeLast(frame)
    if (this.#opening !== undefined) this.#held.push(frame)
    else this.#process(frame)
    return true
  }

  #process(frame: ParsedFrame): void {
    if (frame.kind === 'message') this.#receive(frame.message, this)
    else if (frame.kind === 'unreadable') this.#refuse(frame, (text) => void this.#parts.write(text))
    else this.#receiveBatch(frame)
  }

  /** Refuses input that is not a frame. */
  refuse(situation: Situation, message: string): void {
    const { front, log } = this.#parts
    log.debug('a message could not be read', { situation, message })
    void this.#parts.write(front.refuse(situation, this.#origin, message).text)
  }

  /**
   * Resolves when every accepted request is answered. From now on new requests are ignored; answers to the questions of
   * accepted requests are not, because no other node can take them.
   */
  answered(): Promise<void> {
    this.#answered ??= Promise.withResolvers<void>()
    this.#resolveIfAnswered()
    return this.#answered.promise
  }

  /** Waits up to `graceMs` milliseconds for the answers to accepted requests, then ends the session. */
  async conclude(reason: EndReason, graceMs: number): Promise<void> {
    // A client that has left will not end its subscriptions any more.
    if (reason === 'disconnected') for (const sink of this.#endless) this.#drop(sink)
    const answered = await settlesWithin(this.answered(), graceMs)
    // Without a grace period no answers are expected.
    if (!answered && graceMs > 0) {
      this.#parts.log.warn('requests were not answered in time', { requests: this.#open.items().length })
    }
    await this.end(reason)
  }

  /** The client sends nothing more: no question to it is answered. */
  silence(): void {
    this.#silent = true
    const { session } = this.#origin
    if (session !== undefined) this.#parts.front.silence(session)
  }

  /** Ends the session, if one exists. Nothing is sent afterwards. */
  async end(reason: EndReason): Promise<void> {
    this.#answered ??= Promise.withResolvers<void>()
    // The session ends before its sinks close, so that the requests that end with it can still send a last message.
    await this.#endSession(reason)
    this.lose()
  }

  /** Reports an error of code that works for this client. */
  reportError(error: unknown): void {
    const { front, transport } = this.#parts
    const { session } = this.#origin
    front.reportError('connection', error, { transport, ...(session !== undefined && { session: session.id }) })
  }

  /** The client is gone: nothing reaches it any more. */
  lose(): void {
    this.#lost = true
    for (const sink of this.#open.items()) this.#drop(sink)
    if (this.#stream !== undefined) this.#loseOne(this.#stream)
    this.#resolveIfAnswered()
  }

  #drop(sink: RoundSink): void {
    this.#open.remove(sink.place)
    this.#endless.delete(sink)
    // A session that is still being opened is ended as soon as it exists.
    if (sink !== this.#opening) this.#loseOne(sink)
  }

  #loseOne(sink: RoundSink): void {
    try {
      sink.lose()
    } catch (error) {
      this.reportError(error)
    }
  }

  frame(text: string): Promise<void> | undefined {
    return this.#parts.write(text)
  }

  finish(text: string, sink: RoundSink): Promise<void> | undefined {
    const slow = text === '' ? undefined : this.#parts.write(text)
    if (sink === this.#stream && this.#answered === undefined) this.#parts.ended()
    // The held frames come first: they may contain requests, and `answered` must not resolve before those are open.
    if (sink === this.#opening) this.#opened()
    this.#open.remove(sink.place)
    this.#endless.delete(sink)
    this.#resolveIfAnswered()
    return slow
  }

  redirect(sink: RoundSink): SideStream | undefined {
    return this.#parts.redirect?.(() => sink.strand())
  }

  #takeLast(frame: ParsedFrame): boolean {
    if (this.#lost) return false
    const entries = entriesOf(frame)
    for (const entry of entries) {
      if (entry.kind === 'unreadable') this.#answerUnread(entry)
      else if (entry.kind !== 'request') void this.#parts.front.receive(entry, this.#origin, this.#unused)
    }
    return !entries.some(isAnswered)
  }

  #receive(message: Message, target: SinkTarget): void {
    const { front } = this.#parts
    if (message.kind !== 'request') return void front.receive(message, this.#origin, this.#unused)
    const sink = new RoundSink(target)
    this.#open.append(sink.place)
    if (message.method === methods.subscriptionsListen) this.#endless.add(sink)
    if (message.method === methods.initialize && this.#origin.session === undefined) this.#opening = sink
    void front.receive(message, this.#origin, sink)
    // In JSON-RPC 3.0, the first request of any kind may have opened the session.
    if (this.#stream === undefined && this.#opening === undefined) this.#openStream()
  }

  #receiveBatch(batch: Batch): void {
    const { entries } = batch
    // Unreadable entries, or the batch itself if it is refused, are refused in the version that the readable entries
    // use.
    this.#origin.dialect = entries.find(({ dialect }) => dialect !== undefined)?.dialect ?? this.#origin.dialect
    const refusal = judgeBatch(batch, this.#origin.session)
    if (refusal !== undefined) return this.#refuseBatch(batch, refusal)
    const answers = new BatchAnswers(this, entries.filter(isAnswered).length)
    for (const entry of entries) {
      if (entry.kind !== 'unreadable') this.#receive(entry, answers)
      else this.#refuse(entry, (text) => answers.refuse(text))
    }
  }

  #refuseBatch({ entries }: Batch, reason: string): void {
    for (const notification of entries.flatMap(notificationOf)) this.#parts.front.ignore(notification, this.#origin)
    if (entries.some(isAnswered)) this.refuse('invalid_request', reason)
  }

  /** Refuses an unreadable message, unless its sender expects no answer. */
  #refuse(frame: Unreadable, answer: (text: string) => void): void {
    const { situation, message, id, dialect = this.#origin.dialect } = frame
    const { front, identity, log } = this.#parts
    const { session } = this.#origin
    log.debug('a message could not be read', { situation, message })
    for (const notification of notificationOf(frame)) front.ignore(notification, this.#origin)
    this.#answerUnread(frame)
    if (!frame.silent) answer(front.refuse(situation, { identity, session, dialect }, message, id).text)
  }

  /** No other answer will arrive for the request that an unreadable message was to answer. */
  #answerUnread({ situation, message, answers, dialect = this.#origin.dialect }: Unreadable): void {
    const { session } = this.#origin
    if (answers === undefined || session === undefined) return
    const { front, identity } = this.#parts
    const view = { revision: session.revision, dialect, profile: identity.tenant.profile }
    const error = wireError(situation, view, { message })
    void front.receive({ kind: 'error', dialect, id: answers, error }, this.#origin, this.#unused)
  }

  /** The `initialize` is answered: the server may now send unsolicited messages, and the held frames are processed. */
  #opened(): void {
    this.#opening = undefined
    if (this.#lost) return void this.#endSession('disconnected')
    if (this.#silent) this.silence()
    this.#openStream()
    const held = this.#held
    this.#held = []
    for (const frame of held) this.#process(frame)
    this.#parts.ready()
  }

  async #endSession(reason: EndReason): Promise<void> {
    const { front, log } = this.#parts
    const { session } = this.#origin
    try {
      if (session !== undefined) await front.end(session, reason)
    } catch (error) {
      log.error('a session did not end well', { error })
    }
  }

  #openStream(): void {
    const { session } = this.#origin
    if (session === undefined || this.#stream !== undefined) return
    this.#stream = new RoundSink(this)
    this.#parts.front.resume(session, undefined, this.#stream)
  }

  #resolveIfAnswered(): void {
    if (this.#open.first === undefined) this.#answered?.resolve()
  }
}
