import {
  type ExchangeEvent,
  type OpenExchange,
  type Outcome,
  type Outlet,
  Renderer,
  type Sink,
  type SinkOwner,
  type View,
} from '@junctor/exchange'
import type { ListNode } from '@junctor/primitives'
import { allows, eraOf, methods, rpcMethods } from '@junctor/protocol'
import { shownEvent } from './shown-event.ts'
import type { ReplayStream } from '../../sessions/streams/replay-stream.ts'
import type { StreamTable } from '../../sessions/streams/stream-table.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed, Deadlines } from '../../shared/deadlines.ts'

/** What all response streams need. */
export interface ResponseStreamParts {
  readonly streams: StreamTable
  readonly deadlines: Deadlines
  readonly clock: Pick<Clock, 'now'>
}

/** The methods of requests that open a session. */
const opening: ReadonlySet<string> = new Set([methods.initialize, rpcMethods.extensions])

/** How long a request of a revision without sessions waits for its answer before it gets a stream, in milliseconds. */
const plainStreamMs = 10_000

/**
 * Renders the events of a request for its client, and writes them to the sink of the connection that the request came
 * on. It becomes a stream with the first frame that is not the answer, or when the answer is slow. The stream can be
 * resumed if the request has a session and its client reads events. A client learns from status 404 that its session
 * has ended, so a request for another node becomes no stream before that node has accepted it.
 */
export class ResponseStream implements Outlet, SinkOwner, Timed {
  readonly view: View
  place: ListNode<Timed> | undefined = undefined
  readonly #renderer: Renderer
  readonly #parts: ResponseStreamParts
  readonly #exchange: OpenExchange
  #sink: Sink | undefined
  #stream: ReplayStream | undefined
  /** Whether another node must still confirm that it has the request. */
  #isAwaited: boolean
  /** Whether the answer is slow. */
  #isLate = false
  /** Whether a frame that is not the answer was sent: after that, the HTTP status cannot report an error. */
  #hasSpoken = false

  /** @param isPlaced whether another node answers the request */
  constructor(view: View, sink: Sink, exchange: OpenExchange, parts: ResponseStreamParts, isPlaced: boolean) {
    this.#isAwaited = isPlaced
    this.view = view
    this.#renderer = new Renderer(view)
    this.#parts = parts
    this.#exchange = exchange
    this.#sink = sink
    sink.owner = this
  }

  /** The session that may resume the stream. `undefined`: the stream cannot be resumed. */
  get session(): string | undefined {
    return this.#exchange.context.session
  }

  get id(): string {
    return this.#exchange.id
  }

  get deadline(): number {
    return this.#exchange.deadline
  }

  get overflow(): Outcome | undefined {
    return this.#renderer.overflow
  }

  expire(): void {
    this.#exchange.end('deadline')
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    const frame = this.#renderer.render(shownEvent(event, this.view, this.#hasSpoken))
    if (frame === undefined) return undefined
    this.#hasSpoken = true
    if (frame.last && this.place !== undefined) this.#parts.deadlines.remove(this)
    const stream = frame.last ? this.#stream : this.#openStream()
    if (stream !== undefined) return stream.append(frame.text, frame.last)
    const sink = this.#sink
    if (frame.last) this.#sink = undefined
    return sink?.send(frame.text, frame.last, undefined, frame.status)
  }

  /** Ends the request, because the node leaves and its grace period is over. The client gets an error. */
  leave(): void {
    this.#exchange.end('shutdown')
  }

  /**
   * Called when the answer is slow. What opens a session still gets plain JSON: a stream would name a session that may
   * not be opened, and not every client reads one then.
   */
  waiting(): void {
    if (eraOf(this.view.revision) === 'modern') return this.#openLater()
    this.#isLate = !opening.has(this.view.method)
    this.#openWhenLate()
  }

  begun(): void {
    this.#isAwaited = false
    this.#openWhenLate()
  }

  /**
   * The call continues without its client (Streamable HTTP: a disconnect is not a cancellation), unless it has no
   * session, or is a stream of JSON-RPC 3.0 that cannot be resumed: then no client could get its result, and the
   * producer of a stream might never end.
   */
  lost(): void {
    this.#sink = undefined
    if (this.session === undefined || this.view.stream) this.#exchange.end('disconnected')
  }

  #openWhenLate(): void {
    if (!this.#isLate || this.#isAwaited) return
    if (this.#openStream() === undefined) this.#openPlain()
    else this.#hasSpoken = true
  }

  /** Opens a stream that cannot be resumed. */
  #openPlain(): void {
    if (this.#sink === undefined) return
    this.#sink.open()
    this.#hasSpoken = true
  }

  /**
   * Opens a stream before proxies give up a connection without an answer. Not sooner: this revision asks for HTTP statuses
   * with some errors, and a stream has none. It cannot be resumed.
   */
  #openLater(): void {
    const { clock, deadlines } = this.#parts
    deadlines.add({ deadline: clock.now() + plainStreamMs, expire: () => this.#openPlain() })
  }

  /** The resumable stream, which is opened now if needed. `undefined`: there can be none. */
  #openStream(): ReplayStream | undefined {
    const { session } = this
    const sink = this.#sink
    if (sink === undefined || session === undefined || !sink.resumable) return this.#stream
    this.#sink = undefined
    this.#stream = this.#parts.streams.open(session)
    sink.open(allows(this.view.revision, 'primingEvent') ? this.#stream.eventId(0) : undefined)
    this.#stream.attach(sink)
    return this.#stream
  }
}
