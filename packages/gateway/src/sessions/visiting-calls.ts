import type { CallContext, Handler, Outcome } from '@junctor/exchange'
import { upstreamError } from '../shared/errors.ts'
import { askAgainMessage, waitsForJob } from '../jobs/waits-for-job.ts'
import type { TurnAway, WaitingRequest } from './turn-away.ts'

/** What other nodes have this one do for sessions that are at home here. */
export interface VisitingCalls {
  /** Answers them. */
  readonly handler: Handler
  /** Whether any of a session is at work. */
  has(session: string): boolean
  /** Whether any is at work. */
  readonly isBusy: boolean
  /** Those that only wait for jobs. */
  waiting(): Iterable<WaitingRequest>
  /** Ends all that are at work: whether they took effect is unknown. */
  leave(): void
}

/** One that is at work. */
interface AtWork extends WaitingRequest {
  readonly onlyWaits: boolean
}

/**
 * Keeps an eye on the calls of other nodes while they are at work.
 *
 * @param refuses whether a call that only waits for a job is not to begin
 */
export function watchVisitingCalls(answer: Handler, refuses: TurnAway['refuses']): VisitingCalls {
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

  function* all(): Generator<AtWork> {
    for (const calls of bySession.values()) yield* calls
  }

  return {
    handler(request, exchange) {
      const onlyWaits = waitsForJob(request.method)
      if (onlyWaits && refuses(exchange.context.session)) return turnedAway(exchange.context)
      const outcome = answer(request, exchange)
      if (!(outcome instanceof Promise)) return outcome
      const { context } = exchange
      const { session = '' } = context
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const call: AtWork = {
        session,
        onlyWaits,
        leave() {
          remove(session, call)
          resolve(onlyWaits ? turnedAway(context) : { kind: 'error', error: upstreamError(context, 'backend_exited') })
        },
      }
      add(session, call)
      outcome.then(resolve, reject).finally(() => remove(session, call))
      return promise
    },
    has: (session) => bySession.has(session),
    get isBusy() {
      return bySession.size > 0
    },
    waiting: () => [...all()].filter(({ onlyWaits }) => onlyWaits),
    leave() {
      for (const call of all()) call.leave()
    },
  }
}

function turnedAway(context: CallContext): Outcome {
  return { kind: 'error', error: upstreamError(context, 'overloaded', askAgainMessage) }
}
