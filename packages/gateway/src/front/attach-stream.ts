import type { Exchange, ExchangeEvent, Outcome, Outlet, Sink, SinkOwner, View } from '@junctor/exchange'
import type { Session } from '@junctor/contracts'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { isJsonObject, printError } from '@junctor/jsonrpc'
import type { Profile } from '@junctor/protocol'
import { isAtLeast } from '@junctor/protocol'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import type { ReplayStream } from '../sessions/streams/replay-stream.ts'

/** Attaches a sink to a stream of this node. Sends a priming event if the session's revision or profile has one. */
export function attachStream(
  stream: ReplayStream,
  sink: Sink,
  { revision }: Pick<Session, 'revision'>,
  profile: Profile | undefined,
  after: number = stream.position,
): void {
  const isPrimed = isAtLeast(revision, '2025-11-25') || profile?.http !== undefined
  sink.open(isPrimed ? stream.eventId(after) : undefined)
  stream.attach(sink, after)
}

/** The message for each frame of a stream that is read from another node. */
type RelayFrame =
  | { readonly open: string | null }
  | { readonly text: string; readonly last: boolean; readonly event: string | null }

/** The end on the keeping node: a sink that sends its frames as chunks of an exchange. */
export class RelaySink implements Sink {
  owner: SinkOwner | undefined
  readonly resumable = true
  /** Resolves when the stream has ended or the reader is gone. */
  readonly done: Promise<Outcome>
  readonly #exchange: Exchange
  #finish: (outcome: Outcome) => void = () => {}

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    this.done = new Promise((resolve) => {
      this.#finish = resolve
    })
    exchange.onEnd({
      ended: () => {
        this.owner?.lost()
        this.#finish(emptyOutcome)
      },
    })
  }

  open(eventId?: string): void {
    void this.#write({ open: eventId ?? null })
  }

  send(text: string, last: boolean, eventId?: string): Promise<void> | undefined {
    const written = this.#write({ text, last, event: eventId ?? null })
    if (last) this.#finish(emptyOutcome)
    return written
  }

  #write(frame: RelayFrame): Promise<void> | undefined {
    return this.#exchange.chunk(frame)
  }
}

/** The end on the reading node: writes chunks as frames to the client's sink. */
export class RelayOutlet implements Outlet {
  readonly view: View
  readonly #sink: Sink
  #open = false
  #ended = false

  constructor(view: View, sink: Sink) {
    this.view = view
    this.#sink = sink
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    if (this.#ended) return undefined
    if (event.kind === 'chunk') return this.#frame(event.data as JsonValue)
    if (event.kind !== 'outcome' && event.kind !== 'end') return undefined
    this.#ended = true
    // The client of an open stream cannot get the error: it finds out when it reconnects.
    if (event.kind === 'end' || event.outcome.kind !== 'error' || this.#open) return this.#sink.send('', true)
    const { error } = event.outcome
    return this.#sink.send(
      printError(undefined, error, this.view.profile.nullId(this.view.revision)),
      true,
      undefined,
      error.status,
    )
  }

  #frame(frame: JsonValue): Promise<void> | undefined {
    if (!isJsonObject(frame)) return undefined
    const { open, text, last, event } = frame
    if (open !== undefined) {
      this.#open = true
      this.#sink.open(typeof open === 'string' ? open : undefined)
      return undefined
    }
    if (typeof text !== 'string') return undefined
    this.#ended = last === true
    return this.#sink.send(text, this.#ended, typeof event === 'string' ? event : undefined)
  }
}

/** The body of a request for a stream: for a session's own stream (without `place`), or for the rest of a stream. */
export function resumeBody(session: string, place: { stream: string; n: number } | undefined): JsonObject {
  return { session, stream: place?.stream ?? null, after: place?.n ?? null }
}
