import type { Answer, OpenExchange } from '@junctor/exchange'
import { upstreamError } from '../shared/errors.ts'
import type { Clock } from '../shared/clock.ts'
import type { Timed } from '../shared/timetable.ts'
import type { Revision } from '@junctor/protocol'

/** A question that a client of this node has not answered yet. */
export interface OpenAsk {
  /** The session that may answer it. */
  readonly session: string | undefined
  readonly revision: Revision
  readonly timeoutMs: number
  /** Takes the answer, once. With a reason the client did not give it, and is told not to. */
  settle(answer: Answer, withdrawn?: string): void
}

/** The questions of this node, by ask id. An answer counts only when it comes from the session that was asked. */
export interface AskTable {
  add(askId: string, ask: OpenAsk): void
  /** False when there is no such question for this session. */
  answer(askId: string, session: string, answer: Answer): boolean
  /** The question is settled without an answer from here. */
  remove(askId: string): void
  /** The session is gone, and with it whoever could answer. */
  endSession(session: string): void
  readonly size: number
}

const tooLate = 'The client did not answer in time'

interface Entry extends Timed {
  readonly ask: OpenAsk
}

export function createAskTable(clock: Clock): AskTable {
  const entries = new Map<string, Entry>()

  const take = (askId: string): OpenAsk | undefined => {
    const entry = entries.get(askId)
    if (entry === undefined) return undefined
    entries.delete(askId)
    clock.timetable.remove(entry)
    return entry.ask
  }

  return {
    add(askId, ask) {
      const entry: Entry = {
        ask,
        deadline: clock.now() + ask.timeoutMs,
        expire() {
          entries.delete(askId)
          ask.settle({ error: upstreamError(ask, 'deadline_exceeded', tooLate) }, tooLate)
        },
      }
      entries.set(askId, entry)
      clock.timetable.add(entry)
    },
    answer(askId, session, answer) {
      if (entries.get(askId)?.ask.session !== session) return false
      take(askId)?.settle(answer)
      return true
    },
    remove(askId) {
      take(askId)
    },
    endSession(session) {
      for (const [askId, entry] of entries) {
        if (entry.ask.session !== session) continue
        take(askId)?.settle({ error: upstreamError(entry.ask, 'client_gone') })
      }
    },
    get size() {
      return entries.size
    },
  }
}

/** A question that is shown on an exchange, and answered to it. */
export function exchangeAsk(askId: string, exchange: OpenExchange, timeoutMs: number): OpenAsk {
  return {
    // A job's questions are answered by whoever waits for it, and outlive the session.
    session: exchange.context.job === undefined ? exchange.context.session : undefined,
    revision: exchange.context.revision,
    timeoutMs,
    settle: (answer, withdrawn) => exchange.answer(askId, answer, withdrawn),
  }
}
