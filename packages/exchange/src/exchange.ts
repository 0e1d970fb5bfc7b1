import type { Answer, JsonObject, Payload, Request } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'
import type { AskOptions, ToolCallOptions } from './ask-options.ts'
import type { CallContext } from './context.ts'
import type { Ack, NotificationBody, Progress } from './event.ts'
import type { EndReason, Outcome } from './outcome.ts'
import type { Outlet } from './outlet.ts'

/** The client of a session or scope, outside of any single request. */
export interface Client {
  readonly context: CallContext
  /**
   * Sends without waiting, with a bound: messages that do not fit never fill the gateway's memory. On a session, an
   * overflow ends the client's stream. On an exchange, whose stream also carries the outcome, the oldest notifications
   * are dropped.
   */
  notify(notification: NotificationBody): void
  /**
   * Sends a request to the client. Never rejects: if the client cannot or will not answer, or is gone, the answer is an
   * `error`.
   */
  ask(request: ClientRequest, options?: AskOptions): Promise<Answer>
}

/**
 * Called once, when an exchange ends from outside before its handler has settled it. It is an object and not a closure,
 * because links share one for many calls. It must not throw; an error is dropped, so that the other listeners are
 * called.
 */
export interface EndListener {
  /** Called once, with the reason. */
  ended(reason: EndReason, exchange: Exchange): void
}

/** The life of one request, as a backend sees it. */
export interface Exchange extends Client {
  /** `<node>-<base36 counter>`: unique in the cluster. It names the node that holds the exchange. */
  readonly id: string
  /** 1, or more when a job runs again. */
  readonly attempt: number
  /** Epoch milliseconds. Time in which an ask is open is not counted: it postpones the deadline. */
  readonly deadline: number
  /** JSON-RPC 3.0 options of the request. */
  readonly options: JsonObject | undefined
  /** False: no client would receive progress, so upstreams need not send it. */
  readonly wantsProgress: boolean
  /** Set when the exchange was ended from outside. The handler's outcome is ignored then. */
  readonly ended: EndReason | undefined
  /**
   * Adds a listener. It is called immediately if the exchange has already ended. Adding the same listener twice has no
   * effect.
   */
  onEnd(listener: EndListener): void
  /**
   * Reports that the node which will handle the request has received and accepted it. A fabric that sends the request
   * to another node calls it; a handler on the same node need not call it.
   */
  begun?(): void
  /**
   * Reports the id of a task that the backend has started for the request of a job: another node that runs the job again
   * waits for that task. The client does not see it.
   */
  startedTask?(task: string): void
  /** Aborts at the end, with the `EndReason` as reason. Created when it is first read. */
  readonly signal: AbortSignal
  /** Tells a JSON-RPC 3.0 client that its request was received, or what has become of it. Other clients get nothing. */
  ack(ack?: Ack): void
  /** While events are not read, only the latest progress is kept. */
  progress(update: Progress): void
  /**
   * Sends a piece of a streamed result. If it returns a promise, wait for it before the next piece. The promise never
   * rejects, and always resolves. A producer that does not wait and is far ahead of the reader is stopped, and its
   * request fails.
   */
  chunk(data: unknown): Promise<void> | undefined
  /**
   * Calls another tool of the gateway, with the rights of this request's caller and within its deadline. Never rejects:
   * what went wrong is an `error`.
   *
   * @param params those of `tools/call`. `name` is `backend:tool`, or a name without a colon: as the caller sees it, or
   *   that of a backend with one tool. With a `_meta.progressToken` the progress of the tool becomes that of this
   *   request.
   */
  callTool(params: Payload | undefined, options?: ToolCallOptions): Promise<Answer>
}

/** The life of one request, as the gateway holds it. It is detached until the first `attach`. */
export interface OpenExchange extends Exchange {
  readonly request: Request
  /** True after the outcome or the end: everything that the handler does is ignored. */
  readonly closed: boolean
  /** The number of notifications that were dropped because they were not read in time. For logs and metrics. */
  readonly dropped: number
  /**
   * Sends events to this outlet from now on, in place of the previous one. First come the open asks, because the reader
   * that received them may be gone, then the kept events. Ignored after the last event was written.
   */
  attach(outlet: Outlet): void
  /** Keeps events, up to a bound, until the next attach. */
  detach(): void
  /**
   * Settles an ask of this exchange. Unknown and settled ids are ignored. `withdrawn` is the reason when the answer is
   * not from the client (for example after a timeout): the client is notified that the request is withdrawn. It also
   * works on a closed exchange, because guessed asks outlive it.
   */
  answer(askId: string, answer: Answer, withdrawn?: string): void
  /**
   * Sets the handler's outcome. Ignored after the end and after another outcome. Open asks are withdrawn, except
   * guessed ones. While detached, the outcome is kept for the next outlet.
   */
  settle(outcome: Outcome): void
  /**
   * Ends the exchange from outside. Open asks are withdrawn, except guessed ones that the client has seen. Ignored
   * after the last event was written; an outcome that waits for an outlet is replaced.
   */
  end(reason: EndReason): void
}
