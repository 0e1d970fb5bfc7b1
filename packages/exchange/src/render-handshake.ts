import { payloadOf, printError, printNotification, printRequest, printResult, requestId } from '@junctor/jsonrpc'
import type { Payload, WireError } from '@junctor/jsonrpc'
import { isAtLeast, methods, type Situation, wireError } from '@junctor/protocol'
import type { ExchangeEvent, OrdinaryEvent, Progress } from './event.ts'
import { GatheredChunks } from './gathered-chunks.ts'
import type { EndReason, Outcome } from './outcome.ts'
import type { Frame, Renderer } from './renderer.ts'
import type { View } from './view.ts'

/** Characters of JSON text that a streamed result may have for a client that gets it in one piece: 1 MiB of ASCII. */
const gatheredLimit = 1_048_576

/** What a client is told when its request ends without an outcome. Undefined: nothing. */
const endSituations: Readonly<Record<EndReason, Situation | undefined>> = {
  // The sender of a cancellation ignores any response that comes later, so none is sent (Cancellation).
  cancelled: undefined,
  disconnected: undefined,
  deadline: 'deadline_exceeded',
  session_ended: 'session_unknown',
  // The handler was at work: whether it took effect is unknown, and the client should not simply try again.
  lease_lost: 'backend_exited',
  shutdown: 'backend_exited',
}

/**
 * The renderer for clients of 2024-11-05 to 2025-11-25 that speak JSON-RPC 2.0.
 *
 * Acks are not shown. Progress is, to a client that gave a token or whose profile tells of it unasked. Chunks are
 * gathered into the result, and count as progress until the handler reports its own. Asks are requests whose id is the
 * ask's. Outcomes of the modern era are an internal error here: a bridge should have turned them into asks.
 *
 * @param limit bound on gathered chunks, in characters of JSON text
 */
export function createRenderer(view: View, limit: number = gatheredLimit): Renderer {
  return new HandshakeRenderer(view, limit)
}

class HandshakeRenderer implements Renderer {
  readonly #view: View
  readonly #limit: number
  #gathered: GatheredChunks | undefined = undefined
  #progress = -Infinity
  #reportsProgress = false

  constructor(view: View, limit: number) {
    this.#view = view
    this.#limit = limit
  }

  render(event: ExchangeEvent): Frame | undefined {
    if (event.kind === 'outcome') return this.#renderOutcome(event.outcome)
    if (event.kind === 'end') return this.#renderEnd(endSituations[event.reason])
    const text = this.#print(event)
    return text === undefined ? undefined : { text, last: false }
  }

  #print(event: OrdinaryEvent): string | undefined {
    switch (event.kind) {
      case 'progress':
        this.#reportsProgress = true
        return this.#printProgress(event.progress)
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

  #printProgress({ progress, total, message }: Progress): string | undefined {
    const { progressToken, profile, revision } = this.#view
    const isWanted = progressToken !== undefined || profile.unaskedProgress
    if (!isWanted || progress <= this.#progress) return undefined
    this.#progress = progress
    const shown = isAtLeast(revision, '2025-03-26') ? message : undefined
    return printNotification(
      methods.notificationsProgress,
      payloadOf({ progressToken, progress, total, message: shown }),
    )
  }

  #gather(data: unknown): string | undefined {
    this.#gathered ??= new GatheredChunks(this.#view.method, this.#limit)
    this.#gathered.add(data)
    if (this.#reportsProgress) return undefined
    const progress = Math.max(this.#progress, 0) + 1
    return this.#printProgress(typeof data === 'string' ? { progress, message: data } : { progress })
  }

  #renderOutcome(outcome: Outcome): Frame {
    if (outcome.kind === 'complete') return this.#renderResult(outcome.result)
    return this.#renderError(outcome.kind === 'error' ? outcome.error : wireError('internal_error', this.#view))
  }

  #renderResult(result: Payload): Frame {
    const gathered = this.#gathered
    const { id } = this.#view
    if (gathered === undefined) return { text: printResult(id, result), last: true }
    if (!gathered.overflowed) return { text: printResult(id, gathered.into(result)), last: true }
    const message = `The streamed result is larger than ${this.#limit} characters`
    return this.#renderError(wireError('too_large', this.#view, { message }))
  }

  #renderError(error: WireError): Frame {
    return { text: printError(this.#view.id, error, false), last: true, status: error.status }
  }

  #renderEnd(situation: Situation | undefined): Frame {
    return situation === undefined ? { text: '', last: true } : this.#renderError(wireError(situation, this.#view))
  }
}
