import type { CallContext, Handler, Outcome } from '@junctor/exchange'
import { upstreamError } from '../errors.ts'

/** What other nodes have this one do for sessions that are at home here. */
export interface VisitingCalls {
  /** Answers them. */
  readonly handler: Handler
  /** Whether any of a session is at work. */
  has(session: string): boolean
  /** Whether any is at work. */
  readonly isBusy: boolean
  /** Ends all that are at work: whether they took effect is unknown. */
  leave(): void
}

/** One that is at work. */
interface AtWork {
  readonly context: CallContext
  readonly settle: (outcome: Outcome) => void
}

/** Keeps an eye on the calls of other nodes while they are at work. */
export function watchVisitingCalls(answer: Handler): VisitingCalls {
  const bySession = new Map<string, Set<AtWork>>()

  const add = (session: string, call: AtWork): void => {
    const calls = bySession.get(session)
    if (calls === undefined) bySession.set(session, new Set([call]))
    else calls.add(call)
  }
  const remove = (session: string, call: AtWork): void => {
    const calls = bySession.get(session)
    calls?.delete(call)
    if (calls?.size === 0) bySession.delete(session)
  }

  return {
    handler(request, exchange) {
      const outcome = answer(request, exchange)
      if (!(outcome instanceof Promise)) return outcome
      const { context } = exchange
      const { session = '' } = context
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const call = { context, settle: resolve }
      add(session, call)
      outcome.then(resolve, reject).finally(() => remove(session, call))
      return promise
    },
    has: (session) => bySession.has(session),
    get isBusy() {
      return bySession.size > 0
    },
    leave() {
      for (const calls of bySession.values()) {
        for (const { context, settle } of calls)
          settle({ kind: 'error', error: upstreamError(context, 'backend_exited') })
      }
    },
  }
}
