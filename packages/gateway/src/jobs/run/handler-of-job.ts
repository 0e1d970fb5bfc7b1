import type { Fabric } from '@junctor/contracts'
import type { Handler, Outcome, Exchange } from '@junctor/exchange'
import { createHomeCalls } from '../../nodes/home-calls.ts'
import { errorData } from '../../shared/errors.ts'
import type { JobRecord } from '../record/job-record.ts'
import { DerivedExchange } from '../../shared/derived-exchange.ts'

/**
 * The handler that answers the request of a job: the home node of its session. A task or an `async` job whose session
 * is gone runs for its principal.
 *
 * @param answer answers requests of sessions whose home is this node, and requests without a session
 */
export function handlerOfJob(fabric: Pick<Fabric, 'node' | 'call'>, answer: Handler, record: JobRecord): Handler {
  const { session, home: node, kind } = record
  const handler = session === undefined || node === fabric.node ? answer : createHomeCalls(fabric)(node)
  // A queued job is answered on its session's stream, so it is not run without its session.
  if (session === undefined || kind === 'queued') return handler
  return async (request, exchange) => {
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
