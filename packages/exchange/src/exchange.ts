import type { JsonObject, Request } from '@junctor/jsonrpc'
import type { CallContext } from './context.ts'
import type { Ack, NotificationBody, Progress } from './event.ts'
import type { Answer, ClientRequest, EndReason, Outcome } from './outcome.ts'
import type { Outlet } from './outlet.ts'

export interface AskOptions {
  /** Time for the client to answer, in milliseconds. Default: the host's, one minute; people answer elicitations. */
  readonly timeoutMs?: number
  /** Withdraws the question: the client gets `notifications/cancelled`, the asker an error. */
  readonly signal?: AbortSignal
  /** The transport could not tell which request caused this; it is shown on the newest one and outlives it. */
  readonly guessed?: boolean
}

/** The other end of a session or scope, outside any one request. */
export interface Client {
  readonly context: CallContext
  /** Sends without waiting. Bounded: what does not fit ends the client's stream, never the gateway's memory. */
  notify(notification: NotificationBody): void
  /** Asks the client. Never rejects: a client that cannot, will not or is gone is an `error` answer. */
  ask(request: ClientRequest, options?: AskOptions): Promise<Answer>
}

/** Told once, when an exchange ends from outside. An object instead of a closure: links keep one for many calls. */
export interface EndListener {
  ended(reason: EndReason, exchange: Exchange): void
}

/** The life of one request, as a backend sees it. */
export interface Exchange extends Client {
  /** `<node>-<base36 counter>`: unique in the cluster, names the node that holds the exchange. */
  readonly id: string
  /** 1, or more when a job is run again. */
  readonly attempt: number
  /** Epoch milliseconds. Stands still while an ask is open. */
  readonly deadline: number
  /** JSON-RPC 3.0 options of the request. */
  readonly options: JsonObject | undefined
  /** False: progress would reach nobody, so it need not be asked of an upstream. */
  readonly wantsProgress: boolean
  /** Set when the exchange was ended from outside; the handler's outcome no longer matters. */
  readonly ended: EndReason | undefined
  /** Called at once when it has ended already. One listener of each identity is kept. */
  onEnd(listener: EndListener): void
  /** Aborts at the end, with the `EndReason` as reason. Made when first read. */
  readonly signal: AbortSignal
  ack(ack?: Ack): void
  /** Latest wins while nobody reads. */
  progress(update: Progress): void
  /** A piece of a streamed result. A promise means: wait for it before the next. It never rejects, and never hangs. */
  chunk(data: unknown): Promise<void> | undefined
}

/** The life of one request, as the gateway holds it. */
export interface OpenExchange extends Exchange {
  readonly request: Request
  /** True from the outcome or end on: nothing more is written anywhere. */
  readonly closed: boolean
  /** From now on events go to this outlet; what was kept while detached goes first. Replaces an attached outlet. */
  attach(outlet: Outlet): void
  /** Events are kept (bounded) until the next attach. */
  detach(): void
  /** Settles an ask of this exchange. Unknown and settled ids are ignored. */
  answer(askId: string, answer: Answer): void
  /** The handler's outcome. Ignored after the end and after another outcome. */
  settle(outcome: Outcome): void
  /** Ends the exchange from outside. Ignored when it is closed. */
  end(reason: EndReason): void
}
