import type { ErrorReporter, Emit } from '@junctor/contracts'
import type { Host } from '@junctor/exchange'
import { type AskTable, exchangeAsk } from '../asks/ask-table.ts'
import type { SessionTable } from './session-table.ts'

/** What a host is made of: ids, the time, and the tables of its node. */
export interface HostParts {
  readonly nextId: () => string
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly asks: Pick<AskTable, 'add' | 'remove'>
  readonly table: Pick<SessionTable, 'served'>
  /** How long a client has to answer a question that sets no timeout itself, in milliseconds. */
  readonly askTimeoutMs: number
  readonly emit: Emit
  readonly reportError: ErrorReporter
}

/** What exchanges need from their node: ids, the time, and registration of their questions and requests. */
export function createHost({ nextId, now, asks, table, askTimeoutMs, emit, reportError }: HostParts): Host {
  return {
    nextId,
    now,
    asked(askId, exchange, asked) {
      asks.add(askId, exchangeAsk(askId, exchange, asked?.timeoutMs ?? askTimeoutMs))
    },
    answered(askId) {
      asks.remove(askId)
    },
    failed: ({ id }, error) => reportError('request', error, { exchange: id }),
    closed(exchange) {
      if (exchange.dropped > 0) emit({ kind: 'notification_dropped', reason: 'overflow', count: exchange.dropped })
      table.served(exchange.context.session ?? '')?.inFlight?.remove(exchange.request.id, exchange)
    },
  }
}
