import { askNumber, type OpenExchange } from '@junctor/exchange'
import type { Answer } from '@junctor/jsonrpc'
import { backendError } from '../../shared/errors.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/deadlines.ts'
import type { Revision } from '@junctor/protocol'

/** A question that a client of this node has not answered yet. */
export interface PendingAsk {
  /** The session that may answer it. */
  readonly session: string | undefined
  readonly revision: Revision
  readonly timeoutMs: number
  /**
   * Delivers the answer, once. `withdrawn` is the reason why the question ended without the client's answer; the gateway
   * then asks the client to stop.
   */
  settle(answer: Answer, withdrawn?: string): void
}

/** The open questions of this node. An answer counts only when it comes from the session that was asked. */
export interface AskTable {
  add(askId: string, ask: PendingAsk): void
  /**
   * Returns false when this session has no such open question.
   *
   * @param number of the question's id, see `askNumber`
   */
  answer(number: number, session: string, answer: Answer): boolean
  /** Removes a question that was settled without an answer from a client of this node. */
  remove(askId: string): void
  /** The client of this session answers nothing any more: settles its questions with an error, also those that come. */
  silence(session: string): void
  /** The session has ended, so no client can answer: settles its questions with an error. */
  endSession(session: string): void
  readonly size: number
}

const tooLate = 'The client did not answer in time'

interface Entry extends Timed {
  readonly id: string
  readonly ask: PendingAsk
}

/** The open questions, by the numbers of their ids. Of two with one number, each has its own session. */
type Entries = Map<number, readonly Entry[]>

/** Removes the question with this number that fits. */
function removeFrom(entries: Entries, number: number, fits: (entry: Entry) => boolean): Entry | undefined {
  const open = entries.get(number) ?? []
  const entry = open.find(fits)
  const others = open.filter((other) => other !== entry)
  if (others.length > 0) entries.set(number, others)
  else entries.delete(number)
  return entry
}

/** Creates an empty table. */
export function createAskTable(clock: Clock): AskTable {
  const entries: Entries = new Map()
  const silent = new Set<string>()

  const take = (number: number, fits: (entry: Entry) => boolean): PendingAsk | undefined => {
    const entry = removeFrom(entries, number, fits)
    if (entry !== undefined) clock.deadlines.remove(entry)
    return entry?.ask
  }

  const remove = (askId: string): PendingAsk | undefined => take(askNumber(askId), ({ id }) => id === askId)

  const settleAll = (session: string): void => {
    for (const { id, ask } of [...entries.values()].flat()) {
      if (ask.session === session) remove(id)?.settle({ error: backendError(ask, 'client_gone') })
    }
  }

  return {
    add(askId, ask) {
      const number = askNumber(askId)
      const entry: Entry = {
        id: askId,
        ask,
        deadline: clock.now() + ask.timeoutMs,
        expire() {
          remove(askId)
          ask.settle({ error: backendError(ask, 'deadline_exceeded', tooLate) }, tooLate)
        },
      }
      entries.set(number, [...(entries.get(number) ?? []), entry])
      clock.deadlines.add(entry)
      // The question is shown first.
      const { session } = ask
      if (session !== undefined && silent.has(session)) queueMicrotask(() => settleAll(session))
    },
    answer(number, session, answer) {
      const ask = take(number, (entry) => entry.ask.session === session)
      ask?.settle(answer)
      return ask !== undefined
    },
    remove(askId) {
      remove(askId)
    },
    silence(session) {
      silent.add(session)
      settleAll(session)
    },
    endSession(session) {
      silent.delete(session)
      settleAll(session)
    },
    get size() {
      return [...entries.values()].flat().length
    },
  }
}

/** A question that was sent on an exchange. Its answer goes to the exchange. */
export function exchangeAsk(askId: string, exchange: OpenExchange, timeoutMs: number): PendingAsk {
  return {
    // Any client that waits for a job may answer its questions, and the questions outlive the session.
    session: exchange.context.job === undefined ? exchange.context.session : undefined,
    revision: exchange.context.revision,
    timeoutMs,
    settle: (answer, withdrawn) => exchange.answer(askId, answer, withdrawn),
  }
}
