import {
  type AskEvent,
  type EndListener,
  type EndReason,
  type Exchange,
  type ExchangeEvent,
  ForwardedAsks,
  forwardOneWayEvent,
  type OpenExchange,
  type Outcome,
  type Outlet,
  relayView,
  type View,
} from '@junctor/exchange'
import type { ClientRequest } from '@junctor/protocol'
import { errorOutcome } from '../shared/errors.ts'

/** How a round of a request ended: with its outcome, or with questions that its client answers in the next round. */
export type QuestionRoundEnd =
  | { readonly kind: 'over'; readonly outcome: Outcome }
  | {
      readonly kind: 'asks'
      /** By the keys that the client sees. */
      readonly requests: Readonly<Record<string, ClientRequest>>
      /** The ids of the questions, by the same keys. */
      readonly ids: ReadonlyMap<string, string>
      /** How long the client has for the answers, in milliseconds. Undefined: as long as for any question. */
      readonly withinMs: number | undefined
    }

const clientLeft = 'The client left before the answer, which cancelled the request: whether it took effect is unknown'

/** The message for a client that sends a round again which has ended without an outcome. Other reasons: the usual one. */
const ends: Partial<Record<EndReason, string>> = {
  disconnected: clientLeft,
  cancelled: clientLeft,
}

/** How long a question waits for others, in milliseconds: each round costs the client more. */
const togetherMs = 5

/**
 * One round of a request whose client is asked in results (2026-07-28, Multi Round-Trip Requests). It forwards the events
 * of the lasting exchange to the exchange of this round. When the backend asks, the round ends and the lasting exchange is
 * detached: its next round shows the questions that are still open again.
 */
export class QuestionRound implements Outlet, EndListener {
  readonly view: View
  readonly forwards = true
  readonly end: Promise<QuestionRoundEnd>
  readonly #lasting: OpenExchange
  readonly #outer: Exchange
  readonly #resolve: (end: QuestionRoundEnd) => void
  readonly #asks = new Map<string, AskEvent>()
  #calls: ForwardedAsks | undefined = undefined
  #isOver = false

  constructor(lasting: OpenExchange, outer: Exchange) {
    const { promise, resolve } = Promise.withResolvers<QuestionRoundEnd>()
    this.view = relayView(lasting)
    this.end = promise
    this.#resolve = resolve
    this.#lasting = lasting
    this.#outer = outer
  }

  /** Begins the round. */
  start(): void {
    this.#lasting.attach(this)
    this.#outer.onEnd(this)
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    switch (event.kind) {
      case 'ack':
      case 'progress':
      case 'chunk':
      case 'notification':
      case 'task_started':
        return forwardOneWayEvent(event, this.#outer)
      case 'ask':
        if (event.to === 'gateway') void this.#callTool(event)
        else this.#ask(event)
        break
      case 'withdrawn':
        this.#asks.delete(event.id)
        this.#calls?.withdraw(event)
        break
      case 'outcome':
        this.#finish({ kind: 'over', outcome: event.outcome })
        break
      case 'end':
        this.#finish({ kind: 'over', outcome: errorOutcome(this.#outer.context, 'backend_exited', ends[event.reason]) })
        break
    }
    return undefined
  }

  /** The client has left: no one can send the request again. */
  ended(reason: EndReason): void {
    if (!this.#isOver) this.#lasting.end(reason)
  }

  /** Questions that are asked at about the same time are shown together. */
  #ask(event: AskEvent): void {
    this.#asks.set(event.id, event)
    if (this.#asks.size === 1) setTimeout(() => this.#show(), togetherMs).unref()
  }

  #show(): void {
    if (this.#isOver || this.#asks.size === 0) return
    this.#lasting.detach()
    const keyed = new Map<string, AskEvent>()
    for (const event of this.#asks.values()) keyed.set(keyFor(event, keyed), event)
    this.#finish({
      kind: 'asks',
      requests: Object.fromEntries([...keyed].map(([key, { request }]) => [key, request])),
      ids: new Map([...keyed].map(([key, { id }]) => [key, id])),
      withinMs: longest([...keyed.values()].map(({ options }) => options?.timeoutMs)),
    })
  }

  async #callTool(event: AskEvent): Promise<void> {
    this.#calls ??= new ForwardedAsks(this.#outer)
    this.#lasting.answer(event.id, await this.#calls.forward(event))
  }

  #finish(end: QuestionRoundEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#resolve(end)
  }
}

/** The longest of the timeouts; undefined when one of them is not set. */
function longest(timeouts: readonly (number | undefined)[]): number | undefined {
  const set = timeouts.filter((timeout) => timeout !== undefined)
  return set.length < timeouts.length ? undefined : Math.max(...set)
}

/** The longest name of a question that its asker may choose, in characters. */
const longestKey = 128

/** The key of a question: the name that its asker has for it, if no other question has that name. */
function keyFor({ id, options }: AskEvent, taken: ReadonlyMap<string, AskEvent>): string {
  const key = options?.key
  return key === undefined || key === '' || key.length > longestKey || taken.has(key) ? id : key
}
