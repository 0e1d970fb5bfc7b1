import type { JsonObject, Request } from '@junctor/jsonrpc'
import type { AskOptions } from './ask-options.ts'
import type { CallContext } from './context.ts'
import type { Ack, NotificationBody, Progress } from './event.ts'
import type { Answer, ClientRequest, EndReason, Outcome } from './outcome.ts'
import type { Outlet } from './outlet.ts'

/** The other end of a session or scope, outside any one request. */
export interface Client {
  readonly context: CallContext
  /**
   * Sends without waiting, and bounded: what does not fit never fills the gateway's memory. On a session it ends the
   * client's stream. On an exchange, whose stream also carries the outcome, the oldest notifications are dropped.
   */
  notify(notification: NotificationBody): void
  /** Asks the client. Never rejects: a client that cannot, will not or is gone is an `error` answer. */
  ask(request: ClientRequest, options?: AskOptions): Promise<Answer>
}

/**
 * Told once, when an exchange ends from outside before its handler has settled it. An object instead of a closure:
 * links keep one for many calls. Must not throw; what it throws is dropped, so that the others are told.
 */
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
  /**
   * Whoever is to handle the request has it, on whichever node, and has not refused it. Told by a fabric that hands it to
   * another node; who handles it where it came need not say so.
   */
  begun?(): void
  /** Aborts at the end, with the `EndReason` as reason. Made when first read. */
  readonly signal: AbortSignal
  ack(ack?: Ack): void
  /** Latest wins while nobody reads. */
  progress(update: Progress): void
  /**
   * A piece of a streamed result. A promise means: wait for it before the next. It never rejects, and never hangs. Who
   * does not wait, and is far ahead of the reader, is ended, and its request fails.
   */
  chunk(data: unknown): Promise<void> | undefined
}

/** The life of one request, as the gateway holds it. Detached until the first `attach`. */
export interface OpenExchange extends Exchange {
  readonly request: Request
  /** True from the outcome or end on: nothing that the handler does is seen any more. */
  readonly closed: boolean
  /** Notifications that were dropped because nobody read them in time. For logs and metrics. */
  readonly dropped: number
  /**
   * From now on events go to this outlet, in place of the one before. First come the asks that are open, for whoever
   * was shown them may be gone, then what was kept. Ignored when the last event has been written.
   */
  attach(outlet: Outlet): void
  /** Events are kept (bounded) until the next attach. */
  detach(): void
  /**
   * Settles an ask of this exchange. Unknown and settled ids are ignored. `withdrawn` is why the answer is not the
   * client's own (it took too long, say): the client is told that the question no longer stands. Also works on a closed
   * exchange: guessed asks outlive it.
   */
  answer(askId: string, answer: Answer, withdrawn?: string): void
  /**
   * The handler's outcome. Ignored after the end and after another outcome. Asks that are still open are withdrawn,
   * guessed ones excepted. While detached, the outcome is kept for the next outlet.
   */
  settle(outcome: Outcome): void
  /**
   * Ends the exchange from outside. Asks that are still open are withdrawn, guessed ones excepted if the client has
   * seen them. Ignored when the last event has been written; an outcome that still waits for an outlet is replaced.
   */
  end(reason: EndReason): void
}
