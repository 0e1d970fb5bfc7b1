import { randomBytes } from 'node:crypto'
import {
  type CallContext,
  createExchange,
  type Exchange,
  type Handler,
  type Host,
  type OpenExchange,
  type Outcome,
} from '@junctor/exchange'
import { type JsonObject, type Payload, payloadOf, printPayload, type Request } from '@junctor/jsonrpc'
import type { ListNode } from '@junctor/primitives'
import type { ClientRequest } from '@junctor/protocol'
import { backendError, errorOutcome } from '../shared/errors.ts'
import { unknownState } from '../shared/unknown-state.ts'
import type { Clock } from '../shared/clock.ts'
import type { Timed } from '../shared/deadlines.ts'
import { isUnauthenticated } from '../shared/is-unauthenticated.ts'
import { nodeId } from '../shared/node-id.ts'
import { digestOf, requestDigest } from './continuation.ts'
import { QuestionRound, type QuestionRoundEnd } from './question-round.ts'
import { WaitingRequests } from './waiting-requests.ts'

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

/**
 * The most outcomes of a node that are kept for clients that repeat a round. The oldest are dropped first: then such a
 * client starts again.
 */
const mostKept = 4_096

/** How long these outcomes may be together, in characters. The last one may have any length. */
const mostKeptCharacters = 32 * 1024 * 1024

/** The entry of a state that a client has got. */
interface Entry extends Timed {
  readonly owner: string
  readonly digest: string
  /** Undefined when the round that has used the state is over. It holds the request, which may be large. */
  lasting: OpenExchange | undefined
  /** The ids of its questions, by the keys that the client has got. */
  readonly asks: ReadonlyMap<string, string>
  deadline: number
  place: ListNode<Timed> | undefined
  /** The round that has used the state. */
  used: { readonly responsesDigest: string; readonly outcome: Promise<Outcome> } | undefined
  /** The characters of the request and of its questions while it waits. */
  readonly waitingSize: number
  /** The characters of its kept outcome. */
  keptSize: number
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
  readonly #waiting = new WaitingRequests()
  /** The states that are used, oldest first. */
  readonly #used = new Set<string>()
  /** The characters of all kept outcomes. */
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
    return this.#waiting.count
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
    if (used !== undefined || lasting === undefined) {
      return used?.responsesDigest === responsesDigest ? used.outcome : Promise.resolve(unknownState(exchange.context))
    }
    this.#waiting.leave(entry.owner, entry.waitingSize)
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
      entry.lasting?.end('shutdown')
    }
    this.#entries.clear()
    this.#waiting.clear()
    this.#used.clear()
    this.#keptSize = 0
  }

  async #run(answer: Handler, lasting: OpenExchange): Promise<void> {
    try {
      lasting.settle(await answer(lasting.request, lasting))
    } catch (error) {
      this.#parts.host.failed?.(lasting, error)
      lasting.settle(errorOutcome(lasting.context, 'internal_error'))
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
    const waitingSize = textLength(lasting.request.params) + lengthOf(requests)
    if (!this.#waiting.enter(owner, waitingSize, isUnauthenticated(exchange.context.principal))) {
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
      waitingSize,
      keptSize: 0,
      expire: () => this.#expire(state, entry),
    }
    this.#entries.set(state, entry)
    clock.deadlines.add(entry)
    return { kind: 'input_required', requests, state }
  }

  #expire(state: string, entry: Entry): void {
    this.#forget(state, entry)
    if (entry.used !== undefined) return
    this.#waiting.leave(entry.owner, entry.waitingSize)
    entry.lasting?.end('deadline')
  }

  /** Keeps the outcome of a used state for a while, unless it is forgotten meanwhile. */
  async #keep(state: string, entry: Entry, outcome: Promise<Outcome>): Promise<void> {
    const settled = await outcome.catch(() => undefined)
    entry.deadline = this.#parts.clock.now() + repeatMs
    entry.lasting = undefined
    if (settled === undefined || this.#entries.get(state) !== entry) return
    entry.keptSize = outcomeLength(settled)
    this.#keptSize += entry.keptSize
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
    this.#keptSize -= entry.keptSize
    entry.keptSize = 0
  }
}

function ownerOf({ tenant, principal }: CallContext): string {
  return JSON.stringify([tenant, principal.key])
}

function outcomeLength(outcome: Outcome): number {
  if (outcome.kind === 'complete') return textLength(outcome.result)
  if (outcome.kind === 'error') return outcome.error.message.length + textLength(outcome.error.data)
  return lengthOf(outcome.requests) + (outcome.state?.length ?? 0)
}

function lengthOf(requests: Readonly<Record<string, ClientRequest>>): number {
  return Object.values(requests).reduce((sum, { params }) => sum + textLength(params), 0)
}

/** The characters of a payload. One that cannot be printed has none: writing it will fail. */
function textLength(payload: Payload | undefined): number {
  if (payload === undefined) return 0
  try {
    return printPayload(payload).length
  } catch {
    return 0
  }
}
