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
import type { Frame, Renderer } from './renderer.ts'
import { ShownProgress, wantsProgress } from './shown-progress.ts'
import { v3Messages } from './v3-messages.ts'
import type { View } from './view.ts'

/** Creates the renderer for one round, in the dialect of its request. */
export function createRenderer(view: View): Renderer {
  return new RoundRenderer(view, view.dialect === '3.0' ? v3Messages : handshakeMessages)
}

/**
 * Chunks that the client does not receive one by one are gathered into the result, and count as progress until the
 * handler reports its own.
 */
class RoundRenderer implements Renderer {
  readonly #view: View
  readonly #messages: DialectMessages
  #gathered: GatheredChunks | undefined = undefined
  #progress: ShownProgress | undefined = undefined

  constructor(view: View, messages: DialectMessages) {
    this.#view = view
    this.#messages = messages
  }

  get overflow(): Outcome | undefined {
    return overflowOutcome(this.#gathered, this.#view)
  }

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
