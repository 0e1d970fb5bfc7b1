import { randomBytes } from 'node:crypto'
import type { CallContext, Exchange, Handler, Host, OpenExchange, Outcome } from '@junctor/exchange'
import { createExchange } from '@junctor/exchange'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import { payloadOf, printPayload } from '@junctor/jsonrpc'
import type { ListNode } from '@junctor/primitives'
import { backendError } from '../shared/errors.ts'
import { unknownState } from '../shared/unknown-state.ts'
import type { Clock } from '../shared/clock.ts'
import type { Timed } from '../shared/deadlines.ts'
import { isUnauthenticated } from '../shared/is-unauthenticated.ts'
import { nodeId } from '../shared/node-id.ts'
import { digestOf, requestDigest } from './continuation.ts'
import type { QuestionRoundEnd } from './question-round.ts'
import { QuestionRound } from './question-round.ts'

/** The handler of requests that may be parked, and how long they may wait. */
export interface ParkedRequestParts {
  /** This node. */
  readonly node: string
  readonly host: Host
  readonly clock: Clock
  /** Answers a request; its exchange may ask. */
  readonly answer: Handler
  /** How long a client has to answer a question for which its backend sets no time, in milliseconds. */
  readonly askTimeoutMs: number
  /** The longest timeout of a call, in milliseconds. */
  readonly longestCallMs: () => number
}

/** How long a request waits for its next round after its last question has timed out, in milliseconds. */
const graceMs = 60_000

/** How long the outcome of a round is kept for a client that sends the round again, in milliseconds. */
const repeatMs = 60_000

/** The most requests of one principal that wait for their next round. Each may hold a link. */
const mostOfPrincipal = 64

/** The most requests of a node that wait for their next round. */
const mostOfNode = 4_096

/**
 * The most outcomes of a node that are kept for clients that repeat a round. The oldest are dropped first: then such a
 * client starts again.
 */
const mostKept = 4_096

/** How long the results among them may be together, in characters. The last one may have any length. */
const mostKeptCharacters = 32 * 1024 * 1024

/** The entry of a state that a client has got. */
interface Entry extends Timed {
  readonly owner: string
  readonly digest: string
  readonly lasting: OpenExchange
  /** The ids of its questions, by the keys that the client has got. */
  readonly asks: ReadonlyMap<string, string>
  deadline: number
  place: ListNode<Timed> | undefined
  /** The round that has used the state. */
  used: { readonly responsesDigest: string; readonly outcome: Promise<Outcome> } | undefined
  /** The characters of its kept result. */
  size: number
}

/**
 * Requests of 2026-07-28 whose backends ask their clients. A backend of an older revision asks while it runs the request,
 * so the request stays open between its rounds as a lasting exchange. The client gets a state, which names the exchange.
 * The state is a random id: the exchange itself never leaves this node. The state is bound to the principal and to the
 * request, and is used once.
 */
export class ParkedRequests {
  readonly #parts: ParkedRequestParts
  readonly #entries = new Map<string, Entry>()
  /** How many requests of each owner wait. */
  readonly #waiting = new Map<string, number>()
  #allWaiting = 0
  /** The states that are used, oldest first. */
  readonly #used = new Set<string>()
  /** The characters of all kept results. */
  #keptSize = 0

  constructor(parts: ParkedRequestParts) {
    this.#parts = parts
  }

  /** How many states are known. */
  get size(): number {
    return this.#entries.size
  }

  /** How many requests wait for their clients. */
  get waiting(): number {
    return this.#allWaiting
  }

  /** Runs a request whose client can be asked. */
  start(request: Request, exchange: Exchange): Promise<Outcome> {
    const { host, clock, answer, longestCallMs } = this.#parts
    const lasting = createExchange(
      {
        id: host.nextId(),
        request,
        context: exchange.context,
        deadline: clock.now() + longestCallMs(),
        attempt: 1,
        wantsProgress: exchange.wantsProgress,
      },
      host,
    )
    const round = this.#round(lasting, exchange)
    void this.#run(answer, lasting)
    return round
  }

  /**
   * Continues a request with the answers of its client.
   *
   * @param state as the client has sent it: any text
   * @param responses by the keys of the questions; others are ignored
   */
  resume(
    state: string,
    responses: Readonly<Record<string, JsonObject>>,
    request: Request,
    exchange: Exchange,
  ): Promise<Outcome> {
    const entry = this.#entries.get(state)
    // All faults have the same answer. It does not reveal whether another caller has such a request.
    if (entry === undefined || entry.owner !== ownerOf(exchange.context) || entry.digest !== requestDigest(request)) {
      return Promise.resolve(unknownState(exchange.context))
    }
    const responsesDigest = digestOf(responses)
    const { used, lasting, asks } = entry
    if (used !== undefined) {
      return used.responsesDigest === responsesDigest ? used.outcome : Promise.resolve(unknownState(exchange.context))
    }
    this.#leave(entry)
    for (const [key, response] of Object.entries(responses)) {
      const id = asks.get(key)
      if (id !== undefined) lasting.answer(id, { result: payloadOf(response) })
    }
    const outcome = this.#round(lasting, exchange)
    entry.used = { responsesDigest, outcome }
    this.#used.add(state)
    this.#dropOldest()
    entry.deadline = Infinity
    void this.#keep(state, entry, outcome)
    return outcome
  }

  /** Ends all requests that wait, because the node leaves. */
  close(): void {
    for (const entry of this.#entries.values()) {
      this.#parts.clock.deadlines.remove(entry)
      entry.lasting.end('shutdown')
    }
    this.#entries.clear()
    this.#waiting.clear()
    this.#used.clear()
    this.#keptSize = 0
    this.#allWaiting = 0
  }

  async #run(answer: Handler, lasting: OpenExchange): Promise<void> {
    try {
      lasting.settle(await answer(lasting.request, lasting))
    } catch (error) {
      this.#parts.host.failed?.(lasting, error)
      lasting.settle({ kind: 'error', error: backendError(lasting.context, 'internal_error') })
    }
  }

  async #round(lasting: OpenExchange, exchange: Exchange): Promise<Outcome> {
    const round = new QuestionRound(lasting, exchange)
    round.start()
    const end = await round.end
    return end.kind === 'over' ? end.outcome : this.#park(lasting, end, exchange)
  }

  #park(
    lasting: OpenExchange,
    { requests, ids, withinMs }: Extract<QuestionRoundEnd, { kind: 'asks' }>,
    exchange: Exchange,
  ): Outcome | Promise<Outcome> {
    const { node, clock, askTimeoutMs } = this.#parts
    const owner = ownerOf(exchange.context)
    const waiting = this.#waiting.get(owner) ?? 0
    const isOver = waiting >= mostOfPrincipal && !isUnauthenticated(exchange.context.principal)
    if (isOver || this.#allWaiting >= mostOfNode) {
      const error = backendError(exchange.context, 'overloaded', 'Too many requests wait for answers of their clients')
      lasting.end('cancelled')
      return { kind: 'error', error }
    }
    const state = nodeId(node, randomBytes(32).toString('base64url'))
    const entry: Entry = {
      owner,
      digest: requestDigest(lasting.request),
      lasting,
      asks: ids,
      deadline: clock.now() + (withinMs ?? askTimeoutMs) + graceMs,
      place: undefined,
      used: undefined,
      size: 0,
      expire: () => this.#expire(state, entry),
    }
    this.#entries.set(state, entry)
    this.#waiting.set(owner, waiting + 1)
    this.#allWaiting += 1
    clock.deadlines.add(entry)
    return { kind: 'input_required', requests, state }
  }

  #expire(state: string, entry: Entry): void {
    this.#forget(state, entry)
    if (entry.used !== undefined) return
    this.#leave(entry)
    entry.lasting.end('deadline')
  }

  /** Keeps the outcome of a used state for a while, unless it is forgotten meanwhile. */
  async #keep(state: string, entry: Entry, outcome: Promise<Outcome>): Promise<void> {
    const settled = await outcome.catch(() => undefined)
    entry.deadline = this.#parts.clock.now() + repeatMs
    if (settled?.kind !== 'complete' || this.#entries.get(state) !== entry) return
    entry.size = printPayload(settled.result).length
    this.#keptSize += entry.size
    this.#dropOldest()
  }

  /** Drops the oldest outcomes while there are too many. */
  #dropOldest(): void {
    for (const oldest of this.#used) {
      const isOver = this.#used.size > mostKept || (this.#used.size > 1 && this.#keptSize > mostKeptCharacters)
      if (!isOver) return
      const entry = this.#entries.get(oldest)
      if (entry === undefined) continue
      this.#forget(oldest, entry)
      this.#parts.clock.deadlines.remove(entry)
    }
  }

  #forget(state: string, entry: Entry): void {
    this.#entries.delete(state)
    this.#used.delete(state)
    this.#keptSize -= entry.size
    entry.size = 0
  }

  #leave({ owner }: Entry): void {
    this.#allWaiting -= 1
    const waiting = (this.#waiting.get(owner) ?? 1) - 1
    if (waiting === 0) this.#waiting.delete(owner)
    else this.#waiting.set(owner, waiting)
  }
}

function ownerOf({ tenant, principal }: CallContext): string {
  return JSON.stringify([tenant, principal.key])
}
