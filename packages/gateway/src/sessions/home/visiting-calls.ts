import type { CallContext, EndReason, Handler, Outcome } from '@junctor/exchange'
import { keptOr } from '@junctor/primitives'
import { DerivedExchange } from '../../shared/derived-exchange.ts'
import { errorOutcome } from '../../shared/errors.ts'
import { sessionEndedMessage } from '../../shared/session-ended-message.ts'
import { askAgainMessage, waitsForJob } from '../../jobs/record/waits-for-job.ts'

/** A request that only waits for the result of a job. */
export interface WaitingRequest {
  /** The session of the request. `undefined`: it has none. */
  readonly session: string | undefined
  /** Answers the request with an error: the client can send it again, to another node. */
  leave(): void
}

/** The calls that other nodes send to this node for sessions whose home is this node. */
export interface VisitingCalls {
  /** Handles the calls with `answer`, and tracks them while they are running. */
  handler(answer: Handler): Handler
  /** Whether a call of this session is running. */
  has(session: string): boolean
  /** Calls `then` with each session whose last running call has ended. The returned function stops that. */
  onIdle(then: (session: string) => void): () => void
  /** Whether any call is running. */
  readonly isBusy: boolean
  /** The calls that only wait for jobs. */
  waiting(): Iterable<WaitingRequest>
  /**
   * Ends the running calls of a session that has ended, so that their backends learn of it before its links close. The
   * nodes that sent the calls would tell them later.
   *
   * @param isOutlived whether the calls of jobs continue
   */
  end(session: string, reason: EndReason, isOutlived: boolean): void
  /** Ends all running calls. It is unknown whether they took effect. */
  leave(): void
}

/** A running call. */
interface AtWork extends WaitingRequest {
  readonly onlyWaits: boolean
  readonly isOfJob: boolean
  end(reason: EndReason): void
}

/** @param refuses whether a call that only waits for a job must be refused */
export function createVisitingCalls(refuses: (session: string | undefined) => boolean): VisitingCalls {
  const running = createRunningCalls()

  const handler =
    (answer: Handler): Handler =>
    (request, exchange) => {
      const onlyWaits = waitsForJob(request.method)
      if (onlyWaits && refuses(exchange.context.session)) return refusedToWait(exchange.context)
      const own = new DerivedExchange(exchange, {})
      const outcome = answer(request, own)
      if (!(outcome instanceof Promise)) return outcome
      const { context } = exchange
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const call: AtWork = {
        session: context.session,
        onlyWaits,
        isOfJob: context.job !== undefined,
        end(reason) {
          resolve(errorOutcome(context, 'backend_exited', sessionEndedMessage))
          own.end(reason)
        },
        leave() {
          running.remove(call)
          resolve(onlyWaits ? refusedToWait(context) : { ...errorOutcome(context, 'backend_exited'), loss: 'cut' })
        },
      }
      running.add(call)
      outcome.then(resolve, reject).finally(() => running.remove(call))
      return promise
    }

  return {
    handler,
    has: (session) => running.of(session).size > 0,
    onIdle: (then) => running.onIdle(then),
    get isBusy() {
      return !running.all().next().done
    },
    waiting: () => [...running.all()].filter(({ onlyWaits }) => onlyWaits),
    end(session, reason, isOutlived) {
      for (const call of running.of(session)) if (!(isOutlived && call.isOfJob)) call.end(reason)
    },
    leave() {
      for (const call of running.all()) call.leave()
    },
  }
}

function createRunningCalls() {
  const bySession = new Map<string | undefined, Set<AtWork>>()
  const listeners = new Set<(session: string) => void>()
  return {
    add(call: AtWork): void {
      keptOr(bySession, call.session, () => new Set()).add(call)
    },
    remove(call: AtWork): void {
      const { session } = call
      const calls = bySession.get(session)
      calls?.delete(call)
      if (calls?.size !== 0) return
      bySession.delete(session)
      if (session !== undefined) for (const tell of listeners) tell(session)
    },
    of: (session: string | undefined): ReadonlySet<AtWork> => bySession.get(session) ?? new Set(),
    *all(): Generator<AtWork> {
      for (const calls of bySession.values()) yield* calls
    },
    onIdle(then: (session: string) => void): () => void {
      listeners.add(then)
      return () => listeners.delete(then)
    },
  }
}

function refusedToWait(context: CallContext): Outcome {
  return errorOutcome(context, 'overloaded', askAgainMessage)
}
