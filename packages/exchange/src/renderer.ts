import { payloadOf } from '@junctor/jsonrpc'
import { methods, wireError } from '@junctor/protocol'
import { askNumber } from './ask-number.ts'
import type { DialectMessages } from './dialect-messages.ts'
import { endSituations } from './end-situations.ts'
import type { ExchangeEvent, OrdinaryEvent, Progress } from './event.ts'
import { finalOutcome, type FinalOutcome, overflowOutcome } from './final-outcome.ts'
import { GatheredChunks, gatheredLimit } from './gathered-chunks.ts'
import { handshakeMessages } from './handshake-messages.ts'
import type { EndReason, Outcome } from './outcome.ts'
import { ShownProgress, wantsProgress } from './shown-progress.ts'
import { v3Messages } from './v3-messages.ts'
import type { View } from './view.ts'

/** One message for the client of a round, as text. */
export interface Frame {
  /** One JSON-RPC message in one line. Empty when a round ends without a message. */
  readonly text: string
  /** Whether this is the last frame of its round. Exactly one frame is: that of the outcome or of the end. */
  readonly last: boolean
  /** The HTTP status if this frame is the entire answer. */
  readonly status?: number | undefined
}

/**
 * Converts the events of one round into frames, in the dialect of its request. Chunks that the client does not receive one
 * by one are gathered into the result, and count as progress until the handler reports its own.
 */
export class Renderer {
  readonly #view: View
  readonly #messages: DialectMessages
  #gathered: GatheredChunks | undefined = undefined
  #progress: ShownProgress | undefined = undefined

  constructor(view: View) {
    this.#view = view
    this.#messages = view.dialect === '3.0' ? v3Messages : handshakeMessages
  }

  /** See `Outlet.overflow`. */
  get overflow(): Outcome | undefined {
    return overflowOutcome(this.#gathered, this.#view)
  }

  /** Returns the frame of an event. `undefined`: this client does not receive the event. */
  render(event: ExchangeEvent): Frame | undefined {
    if (event.kind === 'outcome') return this.#renderLast(finalOutcome(event.outcome, this.#gathered, this.#view))
    if (event.kind === 'end') return this.#renderEnd(event.reason)
    const text = this.#print(event)
    return text === undefined ? undefined : { text, last: false }
  }

  #print(event: OrdinaryEvent): string | undefined {
    switch (event.kind) {
      case 'ack':
        return this.#messages.ack(this.#view, event.ack.info)
      case 'progress':
        return this.#printProgress(this.#shownProgress?.report(event.progress))
      case 'chunk':
        return this.#messages.chunk(this.#view, event.data) ?? this.#gather(event.data)
      case 'notification':
        return this.#messages.notification(event.notification)
      case 'ask':
        return this.#messages.ask(event)
      case 'task_started':
        return undefined
      case 'withdrawn':
        break
    }
    const params = payloadOf({ requestId: askNumber(event.id), reason: event.reason })
    return this.#messages.notification({ method: methods.notificationsCancelled, params })
  }

  #gather(data: unknown): string | undefined {
    this.#gathered ??= new GatheredChunks(this.#view.method, gatheredLimit, this.#view.profile)
    this.#gathered.add(data)
    return this.#printProgress(this.#shownProgress?.count(data))
  }

  /** `undefined`: the client receives no progress. */
  get #shownProgress(): ShownProgress | undefined {
    return wantsProgress(this.#view) ? (this.#progress ??= new ShownProgress()) : undefined
  }

  #printProgress(shown: Progress | undefined): string | undefined {
    return shown && this.#messages.progress(this.#view, shown)
  }

  #renderLast(outcome: FinalOutcome): Frame {
    const text = this.#messages.outcome(this.#view, outcome)
    return { text, last: true, status: outcome.kind === 'error' ? outcome.error.status : undefined }
  }

  #renderEnd(reason: EndReason): Frame {
    const situation = reason === 'cancelled' && !this.#messages.answersCancelled ? undefined : endSituations[reason]
    if (situation === undefined) return { text: '', last: true }
    return this.#renderLast({ kind: 'error', error: wireError(situation, this.#view) })
  }
}
