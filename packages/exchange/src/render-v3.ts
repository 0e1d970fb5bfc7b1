import {
  type JsonObject,
  type Payload,
  payloadOf,
  requestId,
  printAck,
  printChunk,
  printV3,
  printV3Error,
  printV3Result,
} from '@junctor/jsonrpc'
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
 * The renderer for clients that use JSON-RPC 3.0.
 *
 * For a client that asked for a stream, every chunk is a frame, and acks, errors and the result are in stream form, for
 * every method (section 6). For other clients chunks are gathered into the result. Progress is sent as repeated acks if
 * the client has negotiated that (section 5.3), else as in MCP. A cancelled request gets an error.
 */
export class V3Renderer implements Renderer {
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
    if (event.kind === 'outcome') return this.#renderLast(finalOutcome(event.outcome, this.#gathered, this.#view))
    if (event.kind === 'end') return this.#renderEnd(event.reason)
    const text = this.#print(event)
    return text === undefined ? undefined : { text, last: false }
  }

  #print(event: OrdinaryEvent): string | undefined {
    switch (event.kind) {
      case 'ack':
        return this.#printAck(event.ack.info)
      case 'progress':
        if (!this.#wantsProgress) return undefined
        return this.#printProgress((this.#progress ??= new ShownProgress()).report(event.progress))
      case 'chunk':
        // Values without a JSON form, such as undefined, become null.
        if (this.#view.stream) return printChunk(this.#view.id, JSON.stringify(event.data) ?? 'null')
        return this.#gather(event.data)
      case 'notification':
        return printNotification(event.notification.method, event.notification.params)
      case 'ask': {
        const { method, params } = event.request
        return printV3({ kind: 'request', dialect: '3.0', id: requestId(event.id), method, params })
      }
      case 'withdrawn':
        break
    }
    const { id, reason } = event
    return printNotification(methods.notificationsCancelled, payloadOf({ requestId: id, reason }))
  }

  #printAck(info: JsonObject | undefined): string {
    const { id, stream } = this.#view
    if (info === undefined) return printAck(id, undefined, stream)
    if (!stream) return printAck(id, payloadOf(info), false)
    // In the ack of a stream, the member `id` is the id of the stream (section 6.5).
    const { id: _id, ...rest } = info
    return printAck(id, payloadOf(rest), true)
  }

  get #acksProgress(): boolean {
    return this.#view.extensions.includes('progress')
  }

  get #wantsProgress(): boolean {
    return this.#acksProgress || wantsProgressNotices(this.#view)
  }

  #printProgress(shown: Progress | undefined): string | undefined {
    if (shown === undefined) return undefined
    const { progress, total } = shown
    if (this.#acksProgress) return this.#printAck({ progress, total })
    return printNotification(methods.notificationsProgress, progressParams(this.#view, shown))
  }

  #gather(data: unknown): string | undefined {
    this.#gathered ??= new GatheredChunks(this.#view.method, this.#limit, this.#view.profile)
    this.#gathered.add(data)
    if (!this.#wantsProgress) return undefined
    return this.#printProgress((this.#progress ??= new ShownProgress()).count(data))
  }

  #renderLast(outcome: FinalOutcome): Frame {
    const { id, stream } = this.#view
    if (outcome.kind === 'complete') return { text: printV3Result(id, outcome.result, stream), last: true }
    return { text: printV3Error(id, outcome.error, stream), last: true, status: outcome.error.status }
  }

  #renderEnd(reason: EndReason): Frame {
    const situation = endSituations[reason]
    if (situation === undefined) return { text: '', last: true }
    return this.#renderLast({ kind: 'error', error: wireError(situation, this.#view) })
  }
}

function printNotification(method: string, params: Payload | undefined): string {
  return printV3({ kind: 'notification', dialect: '3.0', method, params })
}
