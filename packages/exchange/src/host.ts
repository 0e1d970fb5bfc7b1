import type { Answer } from './outcome.ts'
import type { AskOptions } from './ask-options.ts'
import type { OpenExchange } from './exchange.ts'

/** The impure side of exchanges: ids, tables, time. Exchanges and renderers call nothing else impure. */
export interface Host {
  /** `<node>-<base36 counter>`, never used before. */
  nextId(): string
  /** Epoch milliseconds. */
  now(): number
  /**
   * Answers to `askId` are to be given to `exchange.answer` from now on, also when the exchange is closed before. The
   * host times the ask out, by giving an error as its answer.
   */
  asked(askId: string, exchange: OpenExchange, options: AskOptions | undefined): void
  /** The ask is settled, whoever did it. */
  answered(askId: string, answer: Answer): void
  /** The exchange has written its last event, or was ended. Told once. Guessed asks may still be open. */
  closed(exchange: OpenExchange): void
  /** What was kept for its reader could not be written: the exchange fails by itself. Default: nobody is told why. */
  failed?(exchange: OpenExchange, error: unknown): void
}
