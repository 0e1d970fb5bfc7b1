import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atTime } from '@junctor/connection'
import type { CredentialsListener, Origin } from '@junctor/contracts'
import type { Sink, SinkOwner } from '@junctor/exchange'
import { plainLine } from '@junctor/jsonrpc'
import { ListNode, SharedWait } from '@junctor/primitives'
import { headers } from '@junctor/protocol'
import { answerEmpty } from '../serving/answer.ts'
import type { ResponseHeaders } from '../headers/cors.ts'
import { eventStream, eventStreamWithoutRetry, readsRetry } from '../framing/event-stream.ts'
import type { Framing } from '../framing/framing.ts'
import { prefersNdjson } from '../headers/judge-headers.ts'
import { lineStream } from '../framing/line-stream.ts'
import type { ReceivedRequest } from './received-request.ts'
import type { OpenSink } from '../serving/open-sinks.ts'
import { respondAsync } from '../headers/prefers-async.ts'
import type { Watched } from '../serving/idle-watch.ts'

/**
 * What an answer needs of its request: the session that it may have opened, and whether the client prefers not to wait.
 */
type SinkOrigin = Pick<Origin, 'session' | 'respondAsync'>

/** Reports to the client that its preference not to wait was applied (RFC 7240 section 3). */
const asked: ResponseHeaders = { [headers.preferenceApplied]: respondAsync }

/** How many characters of a stream may be gathered in one turn before they are written immediately. */
const writtenAtOnce = 64 * 1024

/**
 * How many probes follow each other soon. By the last one, a client that has closed its connection has answered the
 * first one with a reset; any other still reads, and is then probed as rarely as a stream gets a keep-alive.
 */
const soonProbes = 4

/**
 * The answer to one HTTP request. Headers are held until the form of the answer is known: one JSON text when the first
 * frame is the last, else a stream.
 */
export class HttpSink implements Sink, OpenSink, Watched, CredentialsListener {
  owner: SinkOwner | undefined = undefined
  watchedSince = 0
  /** Whether the stream is endless, so that it ends when the credentials expire. True for a GET. */
  isLasting: boolean
  /** Whether the client is to get one JSON text, even if it is late, unless other messages come before it. */
  isPlain = false
  #forgetExpiry: (() => void) | undefined
  #forgetWatch: (() => void) | undefined
  readonly #call: ReceivedRequest
  readonly #response: ServerResponse
  readonly #socket: Socket
  readonly #origin: SinkOrigin
  readonly #hadSession: boolean
  /** `cut`: the connection is being closed, and its `close` event is still to come. */
  #state: 'held' | 'streaming' | 'cut' | 'over' = 'held'
  /** Chosen when the answer becomes a stream: most answers do not. */
  #framing: Framing | undefined
  /** How much may be unread before the connection is closed. */
  readonly #buffer: number
  /** How often a client that has ended its side was probed: only what is sent to it shows whether it is gone. */
  #probes: number | undefined
  /** The id of the last event, or the place from which the stream continues. */
  #place: string | undefined
  #watched: ListNode<Watched> | undefined
  #unfinished: ListNode<OpenSink> | undefined
  /** The frames of this turn of the event loop. They are one write: each costs more than the rest of its frame. */
  #gathered = ''
  readonly #drained = new SharedWait()

  /**
   * @param framing of the stream, if the answer becomes one. Default: as `Accept` asks for.
   * @param buffer how much a slow reader may leave unread
   */
  constructor(
    call: ReceivedRequest,
    origin: SinkOrigin,
    framing?: Framing,
    buffer: number = call.serving.limits.streamBuffer,
  ) {
    this.#call = call
    this.#response = call.response
    this.#socket = call.request.socket
    this.#origin = origin
    this.#hadSession = origin.session !== undefined
    this.#framing = framing
    this.#buffer = buffer
    this.isLasting = call.request.method === 'GET'
  }

  get resumable(): boolean {
    return !this.isPlain && this.#form().resumable
  }

  /** Call this when no immediate answer was given: from now on a lost connection is noticed. */
  follow(): void {
    if (this.#state === 'over') return
    const { held, open } = this.#call.serving
    if (this.#state === 'held') held.watch((this.#watched = new ListNode<Watched>(this)))
    open.add(this.#socket, (this.#unfinished = new ListNode<OpenSink>(this)))
  }

  open(eventId?: string): void {
    this.#place = eventId ?? this.#place
    if (this.#state === 'streaming' && eventId !== undefined) void this.#write(this.#form().keepAlive(eventId))
    if (this.#state !== 'held') return
    this.#state = 'streaming'
    this.#watched ??= new ListNode<Watched>(this)
    this.#listenOn()
    this.#expireInTime()
    this.#forgetWatch = this.#call.serving.front.watch?.(this.#call, this)
    // The client of a stream that was ended reconnects on a connection that is still open. What is kept is sent first.
    if (this.#call.serving.closing) setImmediate(() => this.leave())
    if (this.#response.destroyed) return
    this.#response.on('drain', () => this.#drained.end())
    this.#response.writeHead(200, { ...this.#form().headers, ...this.#moreHeaders() })
    const beginning = this.#form().begin(eventId)
    if (beginning === '') this.#response.flushHeaders()
    else void this.#write(beginning)
  }

  send(text: string, last: boolean, eventId?: string, status?: number): Promise<void> | undefined {
    if (this.#state === 'held') {
      const isToStream = this.#call.streamOnly && streams(text, status)
      if (last && !isToStream) return this.#answer(text, status)
      this.open()
    }
    if (this.#state !== 'streaming') return undefined
    if (this.#isOutlived()) return this.#leaveExpired()
    this.#place = eventId
    const message = text === '' ? '' : this.#form().message(plainLine(text), eventId)
    return last ? this.#end(message) : this.#write(message)
  }

  quiet(): void {
    if (this.#probes !== undefined) this.#probes += 1
    if (this.#state === 'held') {
      if (this.#probes !== undefined) this.#probe()
      else if (!this.isPlain) this.owner?.waiting()
    }
    // A reader that has not taken what was written needs no keep-alive.
    else if (this.#response.writableNeedDrain) this.#listenOn()
    else void this.#write(this.#form().keepAlive(this.#place))
  }

  ended(): void {
    // A client reads an endless stream until it leaves.
    if (this.isLasting) return this.abandon()
    this.#probes = 0
    this.quiet()
  }

  lost(): void {
    if (this.#state === 'over') return
    this.#finish()
    this.owner?.lost()
  }

  leave(): void {
    // A stream that was requested by GET is endless.
    if (this.#state === 'streaming' && this.#call.request.method === 'GET') this.abandon()
  }

  abandon(): void {
    if (this.#state === 'over') return
    if (this.#state === 'streaming') this.#end(this.#form().comeBack)
    else {
      this.#finish()
      this.#socket.destroy()
    }
    this.owner?.lost()
  }

  withdrawn(): void {
    this.#call.serving.log.debug('the credentials of a client were withdrawn, and its stream is ended')
    this.abandon()
  }

  #form(): Framing {
    this.#framing ??= framingFor(this.#call)
    return this.#framing
  }

  #isOutlived(): boolean {
    const { expires } = this.#call
    return expires !== undefined && this.isLasting && Date.now() >= expires
  }

  /** Ends an endless stream when the credentials expire, even if it is silent. */
  #expireInTime(): void {
    const { expires } = this.#call
    if (expires === undefined || !this.isLasting) return
    this.#forgetExpiry = atTime(
      expires,
      () => {
        if (this.#state === 'streaming') this.#leaveExpired()
      },
      (error) => this.#call.serving.front.reportError('timer', error, { transport: 'http' }),
    )
  }

  /** Ends the stream. Later messages are kept for the client, which may return with valid credentials. */
  #leaveExpired(): undefined {
    this.#call.serving.log.debug('a stream has outlived the credentials of its client and is ended')
    this.abandon()
  }

  #answer(text: string, status: number | undefined): undefined {
    this.#finish()
    const more = this.#moreHeaders()
    if (text === '') answerEmpty(this.#response, status ?? 202, more)
    else {
      const isGranted = status === 202 && this.#origin.respondAsync === true
      const { answers } = this.#call.serving
      answers.add(this.#response, status ?? 200, text, isGranted ? { ...more, ...asked } : more)
    }
  }

  #write(piece: string): Promise<void> | undefined {
    if (this.#response.destroyed) return undefined
    this.#listenOn()
    if (this.#gathered === '') setImmediate(HttpSink.#turnOver, this)
    this.#gathered += piece
    if (this.#gathered.length >= writtenAtOnce) this.#flush()
    return this.#response.writableNeedDrain ? this.#drained.wait() : undefined
  }

  static #turnOver(this: void, sink: HttpSink): void {
    if (sink.#state === 'streaming') sink.#flush()
  }

  #flush(): void {
    const text = this.#gathered
    this.#gathered = ''
    if (text === '' || this.#response.destroyed) return
    const unread = this.#response.writableLength
    // One message of any length is accepted, but not while this much is unread.
    if (unread <= this.#buffer) return void this.#response.write(text)
    this.#call.serving.log.warn('a reader is too slow; its connection is closed', { unread })
    this.#state = 'cut'
    this.#socket.destroy()
  }

  /** Sends what every client skips (RFC 9110 section 15.2.1). The second one cannot be sent when the client is gone. */
  #probe(): void {
    // HTTP/1.0 has nothing that a client skips.
    if (this.#call.request.httpVersionMinor === 0) return this.abandon()
    this.#response.writeContinue()
    this.#watched ??= new ListNode<Watched>(this)
    this.#listenOn()
  }

  /** Restarts the time of silence, because something was sent. */
  #listenOn(): void {
    const { serving } = this.#call
    const isSoon = this.#probes !== undefined && this.#probes < soonProbes
    if (this.#watched !== undefined) (isSoon ? serving.held : serving.streams).watch(this.#watched)
  }

  #end(piece: string): undefined {
    this.#finish()
    if (!this.#response.destroyed) this.#response.end(this.#gathered + piece)
  }

  #finish(): void {
    this.#state = 'over'
    this.#forgetExpiry?.()
    this.#forgetWatch?.()
    this.#watched?.list?.remove(this.#watched)
    if (this.#unfinished !== undefined) this.#call.serving.open.delete(this.#unfinished)
    this.#drained.end()
  }

  #moreHeaders(): ResponseHeaders | undefined {
    const opened = this.#hadSession ? undefined : this.#origin.session
    const common = this.#call.moreHeaders()
    return opened === undefined ? common : { ...common, [headers.sessionId]: opened.id }
  }
}

/** The form of a stream that a client reads. */
function framingFor(call: Pick<ReceivedRequest, 'header'>): Framing {
  if (prefersNdjson(call.header(headers.accept))) return lineStream
  return readsRetry(call.header('user-agent')) ? eventStream : eventStreamWithoutRetry
}

/** Whether an answer of one text can be sent as a stream. An answer with a special status cannot. */
function streams(text: string, status: number | undefined): boolean {
  return text !== '' && (status === undefined || status === 200)
}
