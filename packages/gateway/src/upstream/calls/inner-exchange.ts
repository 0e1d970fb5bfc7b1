import {
  type AskOptions,
  type CallContext,
  type Exchange,
  finalOutcome,
  GatheredChunks,
  gatheredLimit,
  type NotificationBody,
  type Outcome,
  type Progress,
} from '@junctor/exchange'
import type { Answer, JsonObject } from '@junctor/jsonrpc'
import { type ClientRequest, mcpProfile, methods } from '@junctor/protocol'
import { backendError } from '../../shared/errors.ts'
import type { Call } from './call.ts'

/** The call of a backend that calls other tools. */
export interface OuterCall {
  readonly call: Call
  /** What it runs, as `backend:tool`. */
  readonly qualifiedName: string
  /** Epoch milliseconds. It stands still while a question is open. */
  readonly deadline: number
  /** The current time, in epoch milliseconds. */
  now(): number
  /** Asks the client. The deadline stands still until the answer. */
  askClient(request: ClientRequest, options?: AskOptions): Promise<Answer>
}

/**
 * The exchange of a call of one tool by another: the same caller, trace and attempt, and never a later deadline. The
 * client gets its questions and log messages; its progress only when the calling tool wants that. Pieces of a streamed
 * result are gathered for the calling tool.
 *
 * It does not end by itself: an exchange that is derived from it does.
 */
export class InnerExchange implements Exchange {
  readonly id: string
  readonly context: CallContext
  readonly attempt: number
  readonly options: JsonObject | undefined = undefined
  readonly wantsProgress: boolean
  readonly ended: undefined = undefined
  readonly #outer: OuterCall
  readonly #latest: number
  #gathered: GatheredChunks | undefined = undefined
  #closed = false

  /** @param timeoutMs the most time for the call; default: that of the outer call */
  constructor(outer: OuterCall, number: number, wantsProgress: boolean, timeoutMs: number | undefined) {
    const { exchange } = outer.call
    const { context } = exchange
    this.id = `${exchange.id}.${number.toString(36)}`
    this.context = { ...context, chain: [...(context.chain ?? []), outer.qualifiedName] }
    this.attempt = exchange.attempt
    this.wantsProgress = wantsProgress && exchange.wantsProgress
    this.#outer = outer
    this.#latest = timeoutMs === undefined ? Infinity : outer.now() + timeoutMs
  }

  get deadline(): number {
    return Math.min(this.#outer.deadline, this.#latest)
  }

  get signal(): AbortSignal {
    return new AbortController().signal
  }

  onEnd(): void {}

  ack(): void {}

  progress(update: Progress): void {
    if (!this.#closed && this.wantsProgress) this.#outer.call.exchange.progress(update)
  }

  chunk(data: unknown): undefined {
    if (this.#closed) return
    this.#gathered ??= new GatheredChunks(methods.toolsCall, gatheredLimit, { customContent: false })
    this.#gathered.add(data)
  }

  notify(notification: NotificationBody): void {
    if (!this.#closed) this.#outer.call.exchange.notify(notification)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    if (this.#closed) return Promise.resolve({ error: backendError(this.context, 'client_gone') })
    return this.#outer.askClient(request, options)
  }

  /** The gateway answers calls of tools before they get here. */
  callTool(): Promise<Answer> {
    return Promise.resolve({ error: backendError(this.context, 'method_not_found') })
  }

  /** The answer for the calling tool: the outcome, with the gathered pieces in its result. */
  finish(outcome: Outcome): Answer {
    const view = { revision: this.context.revision, dialect: '2.0', profile: mcpProfile } as const
    const final = finalOutcome(outcome, this.#gathered, view)
    return final.kind === 'complete' ? { result: final.result } : { error: final.error }
  }

  /** From now on nothing of it reaches the client. */
  close(): void {
    this.#closed = true
  }
}
