import { payloadOf, printError, printNotification, printRequest, printResult, requestId } from '@junctor/jsonrpc'
import { methods, wireError } from '@junctor/protocol'
import { endSituations } from './end-situations.ts'
import type { ExchangeEvent, OrdinaryEvent, Progress } from './event.ts'
import { finalOutcome, type FinalOutcome } from './final-outcome.ts'
import { GatheredChunks } from './gathered-chunks.ts'
import type { EndReason } from './outcome.ts'
import type { Frame, Renderer } from './renderer.ts'
import { progressParams, ShownProgress, wantsProgressNotices } from './shown-progress.ts'
import type { View } from './view.ts'

/**
 * The renderer for clients of 2024-11-05 to 2025-11-25 that use JSON-RPC 2.0.
 *
 * Acks are not sent. Progress is sent to a client that gave a token or whose profile sends unasked progress. Chunks are
 * gathered into the result, and count as progress until the handler reports its own. Asks are requests with the id of
 * the ask. A cancelled request gets no response.
 */
export class HandshakeRenderer implements Renderer {
  readonly #view: View
  readonly #limit: number
  #gathered: GatheredChunks | undefined = undefined
  #progress: ShownProgress | undefined = undefined

  /** @param limit the maximum size of gathered chunks, in characters of JSON text */
  constructor(view: View, limit: number) {
    this.#view = view
    this.#limit = limit
  }

  render(event: ExchangeEvent): Frame | undefined {
    if (event.kind === 'outcome') {
      const { outcome } = event
      const isFinal = outcome.kind === 'complete' && this.#gathered === undefined
      return this.#renderLast(isFinal ? outcome : finalOutcome(outcome, this.#gathered, this.#view))
    }
    if (event.kind === 'end') return this.#renderEnd(event.reason)
    const text = this.#print(event)
    return text === undefined ? undefined : { text, last: false }
  }

  #print(event: OrdinaryEvent): string | undefined {
    switch (event.kind) {
      case 'progress':
        if (!wantsProgressNotices(this.#view)) return undefined
        return this.#printProgress((this.#progress ??= new ShownProgress()).report(event.progress))
      case 'chunk':
        return this.#gather(event.data)
      case 'notification':
        return printNotification(event.notification.method, event.notification.params)
      case 'ask':
        return printRequest(requestId(event.id), event.request.method, event.request.params)
      case 'withdrawn':
        return printNotification(
          methods.notificationsCancelled,
          payloadOf({ requestId: event.id, reason: event.reason }),
        )
      case 'ack':
        break
    }
    return undefined
  }

  #printProgress(shown: Progress | undefined): string | undefined {
    if (shown === undefined) return undefined
    return printNotification(methods.notificationsProgress, progressParams(this.#view, shown))
  }

  #gather(data: unknown): string | undefined {
    this.#gathered ??= new GatheredChunks(this.#view.method, this.#limit, this.#view.profile)
    this.#gathered.add(data)
    if (!wantsProgressNotices(this.#view)) return undefined
    return this.#printProgress((this.#progress ??= new ShownProgress()).count(data))
  }

  #renderLast(outcome: FinalOutcome): Frame {
    const { id } = this.#view
    if (outcome.kind === 'complete') return { text: printResult(id, outcome.result), last: true }
    return { text: printError(id, outcome.error, false), last: true, status: outcome.error.status }
  }

  #renderEnd(reason: EndReason): Frame {
    const situation = endSituations[reason]
    // The sender of a cancellation ignores a later response, so none is sent (Cancellation).
    if (situation === undefined || reason === 'cancelled') return { text: '', last: true }
    return this.#renderLast({ kind: 'error', error: wireError(situation, this.#view) })
  }
}
