import {
  declares,
  edit,
  type EndListener,
  type EndReason,
  eraOf,
  type Exchange,
  isJsonObject,
  type JsonObject,
  type ListNode,
  mcpExtensions,
  member,
  metaKeys,
  methods,
  type Notification,
  type Outcome,
  type Payload,
  payloadOf,
  readMountName,
  readQuestions,
  type Request,
  type Response,
  type Situation,
} from '@junctor/plugin-sdk/link'
import { failedCall, lostCall } from '../link/errors.ts'
import { metaOf } from '../link/meta-of.ts'
import type { RelayedCall } from '../link/upstream-relay.ts'
import { isVersionRefused } from '../link/version-refused.ts'
import type { RequestListener, SentRequest, WireFailure } from './stateless-wire.ts'

/** What a call needs from its link. */
export interface StatelessCallHost {
  readonly backend: string
  /** Sends a round of the call. */
  send(call: StatelessCall, params: Payload | undefined): SentRequest
  /** Called with a notification on the call's own stream. */
  related(notification: Notification, call: StatelessCall): void
  /** Whether a refused call can be sent once more, because the link knows more now. */
  learns(call: StatelessCall, response: Response): Promise<boolean>
  /** Called when the call has no response. */
  lost(failure: WireFailure): void
  /** Whether the server speaks this revision no more, so that it has refused the call without running it. */
  isOutdated(): Promise<boolean>
  finished(call: StatelessCall): void
}

/** The requests whose results may ask (Multi Round-Trip Requests, "Supported Requests"). */
const asking: ReadonlySet<string> = new Set([methods.toolsCall, methods.promptsGet, methods.resourcesRead])

/** The most rounds of one call: a call of a server that never stops asking fails. */
const mostRounds = 32

/**
 * How long a server waits that asks for nothing but another round, such as one that sheds load, in milliseconds. Each such
 * round in a row doubles it.
 */
const firstPauseMs = 100
const longestPauseMs = 5_000

/**
 * One call of a server of 2026-07-28. When its result asks for input, the client is asked, and the call is sent again with
 * the answers (Multi Round-Trip Requests).
 */
export class StatelessCall implements RequestListener, EndListener, RelayedCall {
  readonly request: Request
  readonly exchange: Exchange
  readonly progressToken: number | undefined
  readonly outcome: Promise<Outcome>
  place: ListNode<RelayedCall> | undefined = undefined
  readonly #host: StatelessCallHost
  readonly #resolve: (outcome: Outcome) => void
  #sent: SentRequest | undefined
  #rounds = 0
  /** The rounds since the last one with questions. */
  #emptyRounds = 0
  #pause: NodeJS.Timeout | undefined
  #isRepeated = false
  #over = false

  constructor(host: StatelessCallHost, request: Request, exchange: Exchange, progressToken: number | undefined) {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#host = host
    this.request = request
    this.exchange = exchange
    this.progressToken = progressToken
  }

  /** Sends the first round. */
  start(): void {
    this.#send(this.request.params)
  }

  notification(notification: Notification): void {
    this.#host.related(notification, this)
  }

  answered(response: Response): void {
    if (this.#over) return
    if (response.kind === 'result') return this.#result(response.result)
    if (isVersionRefused(response)) {
      return void this.#unlessOutdated(() => this.#settle({ kind: 'error', error: response.error }))
    }
    if (this.#isRepeated) return this.#settle({ kind: 'error', error: response.error })
    void this.#repeat(response)
  }

  failed(failure: WireFailure): void {
    if (failure.mayBeOlder === true) void this.#unlessOutdated(() => this.#giveUp(failure))
    else this.#giveUp(failure)
  }

  /** A server that has refused the call because of its revision has not run it. */
  async #unlessOutdated(otherwise: () => void): Promise<void> {
    if (!(await this.#host.isOutdated())) return otherwise()
    // An earlier round has run.
    const loss = this.#rounds > 1 ? 'cut' : 'unsent'
    this.#settle(lostCall(this.request, this.exchange, loss, this.#host.backend))
  }

  #giveUp(failure: WireFailure): void {
    const { situation, message, data, loss } = failure
    const outcome = this.#failure(situation, { ...(message !== undefined && { message }), ...(data && { data }) })
    // An earlier round has run.
    const lost = loss === 'unsent' && this.#rounds > 1 ? 'cut' : loss
    this.#settle(lost === undefined ? outcome : { ...outcome, loss: lost })
    this.#host.lost(failure)
  }

  ended(reason: EndReason): void {
    if (this.#over) return
    this.#sent?.cancel(reason)
    this.#fail(reason === 'deadline' ? 'deadline_exceeded' : 'cancelled')
  }

  drop(): void {
    this.#settle(lostCall(this.request, this.exchange, 'cut', this.#host.backend))
  }

  #send(params: Payload | undefined): void {
    this.#rounds += 1
    this.#sent = this.#host.send(this, params)
  }

  /** Sends a refused call again if its link has learned what was missing. */
  async #repeat(response: Extract<Response, { kind: 'error' }>): Promise<void> {
    this.#isRepeated = true
    const learns = await this.#host.learns(this, response)
    if (this.#over) return
    if (learns) this.#send(this.request.params)
    else this.#settle({ kind: 'error', error: response.error })
  }

  #result(result: Payload): void {
    const value = result.value()
    const type = isJsonObject(value) ? (value['resultType'] ?? 'complete') : 'complete'
    if (type === 'complete' || (typeof type === 'string' && this.#passesAnyType(type))) {
      return this.#settle({ kind: 'complete', result: resultFor(this.exchange, result, value) })
    }
    const mayAsk = type === 'input_required' && asking.has(this.request.method)
    if (mayAsk && isJsonObject(value)) return void this.#ask(result, value)
    this.#fail('tool_failed', `Expected a result of type "complete" or "input_required", got ${JSON.stringify(type)}`)
  }

  /**
   * Extensions add types of results. Tasks pass where the gateway takes them; all others at the endpoint of a single
   * backend, because its client has declared them.
   */
  #passesAnyType(type: string): boolean {
    const { tenant, revision } = this.exchange.context
    if (type === 'task') return declaresTasks(this.request)
    return type !== 'input_required' && eraOf(revision) === 'modern' && readMountName(tenant) !== undefined
  }

  /** A client of this revision gets the questions in its own result. A job, and a tool that calls this one, wait here. */
  #passesQuestions(): boolean {
    const { revision, job, chain } = this.exchange.context
    return eraOf(revision) === 'modern' && job === undefined && chain === undefined
  }

  async #ask(result: Payload, value: JsonObject): Promise<void> {
    if (this.#rounds >= mostRounds)
      return this.#fail('tool_failed', `The server gave no result in ${mostRounds} rounds`)
    // Many libraries write a member without a value as null.
    const state = value['requestState'] ?? undefined
    if (state !== undefined && typeof state !== 'string')
      return this.#fail(
        'tool_failed',
        `Expected requestState to be a string, got ${JSON.stringify(state).slice(0, 80)}`,
      )
    const read = readQuestions(result)
    if (read.kind === 'bad') return this.#fail('tool_failed', read.message)
    const { requests } = read
    // It would be the same call once more, and what the tool does would be done again.
    if (requests.length === 0 && state === undefined)
      return this.#fail('tool_failed', 'Expected a result with inputRequests or requestState, got neither')
    if (this.#passesQuestions()) {
      const questions = Object.fromEntries(requests)
      return this.#settle({ kind: 'input_required', requests: questions, ...(state !== undefined && { state }) })
    }
    const given: [string, Payload][] = []
    await Promise.all(
      requests.map(async ([key, request]) => {
        const answer = await this.exchange.ask(request, { key })
        // The others are asked in vain: the end of the call withdraws them.
        if ('error' in answer) this.#settle({ kind: 'error', error: answer.error })
        else given.push([key, answer.result])
      }),
    )
    if (this.#over) return
    const params = edit(this.request.params ?? payloadOf({}), {
      inputResponses: requests.length === 0 ? undefined : edit(payloadOf({}), Object.fromEntries(given)),
      requestState: state === undefined ? undefined : member(result, 'requestState'),
    })
    if (requests.length === 0) return this.#sendLater(params)
    this.#emptyRounds = 0
    this.#send(params)
  }

  /** Sends the next round after a pause, unless the call ends before: when it is cancelled, or at its deadline. */
  #sendLater(params: Payload): void {
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#emptyRounds, longestPauseMs)
    this.#emptyRounds += 1
    this.#pause = setTimeout(() => this.#send(params), pauseMs)
  }

  #fail(situation: Situation, message?: string): void {
    this.#settle(this.#failure(situation, message === undefined ? {} : { message }))
  }

  #failure(situation: Situation, details: Pick<WireFailure, 'message' | 'data'>): ReturnType<typeof failedCall> {
    return failedCall(this.request, this.exchange, situation, { ...details, backend: this.#host.backend })
  }

  #settle(outcome: Outcome): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#pause)
    this.#host.finished(this)
    this.#resolve(outcome)
  }
}

/** Whether a request says that its sender takes a task in place of a result (SEP-2663). */
function declaresTasks({ params }: Request): boolean {
  const capabilities = metaOf(params)?.[metaKeys.clientCapabilities]
  return isJsonObject(capabilities) && declares(capabilities, ['extensions', mcpExtensions.tasks])
}

/** The members of results that older revisions do not have. */
const ofThisRevision = { resultType: undefined, ttlMs: undefined, cacheScope: undefined } as const

/** A result as the caller's revision has it. */
function resultFor({ context }: Exchange, result: Payload, value: unknown): Payload {
  // The gateway itself reads a task.
  const isTask = isJsonObject(value) && value['resultType'] === 'task'
  if (eraOf(context.revision) === 'modern' || !isJsonObject(value) || isTask) return result
  const { _meta: meta } = value
  const own = isJsonObject(meta) && meta[metaKeys.serverInfo] !== undefined ? member(result, '_meta') : undefined
  const rest = own === undefined ? {} : { _meta: withoutServer(own) }
  return edit(result, { ...ofThisRevision, ...rest })
}

function withoutServer(meta: Payload): Payload | undefined {
  const value = meta.value()
  const isAlone = isJsonObject(value) && Object.keys(value).length === 1
  return isAlone ? undefined : edit(meta, { [metaKeys.serverInfo]: undefined })
}

/** Requests for which a server of 2026-07-28 has other means. */
export const replacedMethods: ReadonlySet<string> = new Set([
  methods.ping,
  methods.loggingSetLevel,
  methods.resourcesSubscribe,
  methods.resourcesUnsubscribe,
])
