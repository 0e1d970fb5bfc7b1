import type { Fabric } from '@junctor/contracts'
import type { Handler, Outcome } from '@junctor/exchange'
import { isJsonObject } from '@junctor/jsonrpc'
import { createHomeCalls } from '../nodes/home-calls.ts'
import type { JobRecord } from './job-record.ts'
import { withoutSession } from './without-session.ts'

/**
 * What answers the request of a job: its session, wherever that is at home. A task or an `async` job whose session is gone
 * is run for its principal.
 *
 * @param answer answers requests of sessions at home here, and of callers without one
 */
export function handlerOfJob(fabric: Pick<Fabric, 'node' | 'call'>, answer: Handler, record: JobRecord): Handler {
  const { session, home: node, kind } = record
  const handler = session === undefined || node === fabric.node ? answer : createHomeCalls(fabric)(node)
  // What has no session to be answered on needs none to be run.
  if (session === undefined || kind === 'queued') return handler
  return async (request, exchange) => {
    const outcome = await handler(request, exchange)
    return foundNoSession(outcome) ? answer(request, withoutSession(exchange)) : outcome
  }
}

/** Whether a request was not run, because its session, or the node where that was at home, is gone. */
function foundNoSession(outcome: Outcome): boolean {
  const data = outcome.kind === 'error' ? outcome.error.data?.value() : undefined
  if (!isJsonObject(data)) return false
  const { reason, backend } = data
  return reason === 'session_unknown' || (reason === 'backend_unavailable' && backend === undefined)
}
