import type { Answer } from '@junctor/jsonrpc'
import type { AskOptions } from './ask-options.ts'
import type { OpenExchange } from './exchange.ts'

/** The impure operations of exchanges: ids, tables, time. Exchanges and renderers use no others. */
export interface Host {
  /** Returns a new id: `<node>-<base36 counter>`, never used before. */
  nextId(): string
  /** Returns epoch milliseconds. */
  now(): number
  /**
   * Called when an ask is opened: answers to `askId` must be given to `exchange.answer` from now on, also when the
   * exchange is closed before. The host enforces the timeout of the ask with an error as its answer.
   */
  asked(askId: string, exchange: OpenExchange, options: AskOptions | undefined): void
  /** Called when the ask is settled, by any party. */
  answered(askId: string, answer: Answer): void
  /** Called once, when the exchange has written its last event or was ended. Guessed asks may still be open. */
  closed(exchange: OpenExchange): void
  /**
   * Called when a kept event could not be written to a reader; the exchange then fails. Absent: the error is not
   * reported.
   */
  failed?(exchange: OpenExchange, error: unknown): void
}
