import type { ErrorReporter } from '@junctor/contracts'
import { runPeriodically } from '../../shared/run-periodically.ts'
import type { WaitingRequest } from '../home/visiting-calls.ts'

/**
 * Refuses requests that only wait for jobs on a node that leaves. They would delay the node for as long as jobs of
 * other nodes take.
 */
export interface WaitRefusal {
  /**
   * From now on, refuses waiting requests as soon as no job of their session runs here. Idempotent.
   *
   * @param waiting all requests that wait here, from clients of this node and from other nodes
   */
  begin(waiting: () => Iterable<WaitingRequest>): void
  /** Whether a new request that would only wait must be refused. */
  refuses(session: string | undefined): boolean
  close(): void
}

/** What the refusal needs. A request is not refused while a job runs here that it may wait for. */
export interface WaitRefusalParts {
  /** Whether a job runs here whose answer a request of this session, or one without a session, may wait for. */
  readonly isAtWork: (session: string | undefined) => boolean
  readonly reportError: ErrorReporter
}

/**
 * Interval between two checks, in milliseconds. A request that waits at two checks in a row is not about to be
 * answered.
 */
const checkMs = 250

/** Creates the refusal, which refuses nothing before `begin`. */
export function createWaitRefusal({ isAtWork, reportError }: WaitRefusalParts): WaitRefusal {
  let seen = new Set<WaitingRequest>()
  let checks = 0
  let stop: (() => void) | undefined

  const check = (waiting: () => Iterable<WaitingRequest>): void => {
    checks += 1
    const before = seen
    const idle = [...waiting()].filter(({ session }) => !isAtWork(session))
    seen = new Set(idle.filter((one) => !before.has(one)))
    for (const one of idle) {
      if (!before.has(one)) continue
      try {
        one.leave()
      } catch (error) {
        reportError('request', error, { session: one.session })
      }
    }
  }

  return {
    begin(waiting) {
      stop ??= runPeriodically([() => check(waiting)], checkMs, reportError)
    },
    refuses: (session) => checks > 1 && !isAtWork(session),
    close() {
      stop?.()
    },
  }
}
