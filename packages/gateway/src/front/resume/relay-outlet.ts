import type { ExchangeEvent, Outlet, Sink, View } from '@junctor/exchange'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import { errorAnswer, sendAnswer } from '../requests/text-answer.ts'

/** The counterpart of a `RelaySink` on the node that the reader has reached: writes the chunks as frames to the client's sink. */
export class RelayOutlet implements Outlet {
  readonly view: View
  readonly #sink: Sink
  #open = false
  #ended = false
  #written = 0

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
    return sendAnswer(this.#sink, errorAnswer(undefined, event.outcome.error, this.view))
  }

  /** The reader is lost, and gets nothing more. Returns how many frames were written to it. */
  leave(): number {
    this.#ended = true
    return this.#written
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
    this.#written += 1
    return this.#sink.send(text, this.#ended, typeof event === 'string' ? event : undefined)
  }
}
