import type { Fabric } from '@junctor/contracts'
import type { Handler, Outcome, Exchange } from '@junctor/exchange'
import { createHomeCalls } from '../../nodes/home-calls.ts'
import { errorData } from '../../shared/errors.ts'
import type { JobRecord } from '../record/job-record.ts'
import { DerivedExchange } from '../../shared/derived-exchange.ts'

/** What the handler of a job needs. */
export interface HandlerOfJobParts {
  readonly fabric: Pick<Fabric, 'node' | 'call'>
  /** Whether a node is present. */
  readonly isPresent: (node: string) => Promise<boolean>
  /** Answers requests of sessions whose home is this node, and requests without a session. */
  readonly answer: Handler
}

/**
 * The handler that answers the request of a job: the home node of its session. A task or an `async` job whose session
 * is gone runs for its principal. A home that is not present is not called: a node that has stopped, but has kept its
 * connection, does not refuse a call, and each attempt of the job would be lost there.
 */
export function handlerOfJob({ fabric, isPresent, answer }: HandlerOfJobParts, record: JobRecord): Handler {
  const { session, home: node, kind } = record
  const isHere = session === undefined || node === fabric.node
  const handler = isHere ? answer : createHomeCalls(fabric)(node)
  // A queued job is answered on its session's stream, so it is not run without its session.
  if (session === undefined || kind === 'queued') return handler
  return async (request, exchange) => {
    if (!isHere && !(await isPresent(node))) return answer(request, withoutSession(exchange))
    const outcome = await handler(request, exchange)
    return foundNoSession(outcome) ? answer(request, withoutSession(exchange)) : outcome
  }
}

/** Whether a request was not run because its session, or the session's home node, is gone. */
function foundNoSession(outcome: Outcome): boolean {
  const { reason, backend } = errorData(outcome)
  return reason === 'session_unknown' || (reason === 'backend_unavailable' && backend === undefined)
}

/** The exchange of a job whose session is gone: the job still belongs to its principal, who may collect the result. */
function withoutSession(exchange: Exchange): Exchange {
  return new DerivedExchange(exchange, { context: { ...exchange.context, session: undefined } })
}
