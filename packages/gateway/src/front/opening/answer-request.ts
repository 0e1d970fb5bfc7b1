import type { Fabric, Origin } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { rpcMethods } from '@junctor/protocol'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import { toSessionControl } from '../../sessions/session-control.ts'
import type { SessionDirectory } from '../../sessions/session-directory.ts'
import { collect } from '../deferred/collect.ts'
import type { DeferredAnswers } from '../deferred/deferred-answers.ts'
import { deliveryOf } from '../deferred/request-delivery.ts'
import { dispatch, type DispatchParts } from '../requests/dispatch.ts'
import { isNegotiation, negotiateIn } from './negotiate.ts'
import { ofToken } from '../../shared/of-token.ts'

/** The ways in which a request can be answered: dispatched now, as a job, or on the stream of its session. */
export interface AnswerParts {
  readonly fabric: Fabric
  readonly directory: Pick<SessionDirectory, 'setExtensions'>
  readonly dispatching: DispatchParts
  readonly jobs: JobDesk
  readonly deferred: DeferredAnswers
}

/** Answers a request of a session, where it came or later. */
export function answerRequest(
  { fabric, directory, dispatching, jobs, deferred }: AnswerParts,
  session: FrontSession,
  request: Request,
  from: Origin,
  sink: Sink,
): void {
  session.dialect = request.dialect
  if (request.dialect === '3.0' && isNegotiation(request)) {
    const negotiate = negotiateIn(session, from, async (extensions) => {
      await directory.setExtensions(session.id, extensions)
      await fabric.send('all', toSessionControl({ kind: 'extensions', session: session.id, extensions }))
    })
    return dispatch(dispatching, { client: session, request, sink }, negotiate)
  }
  const { scopes, callerToken } = from.identity
  const hasToken = scopes !== undefined || callerToken !== undefined
  const context = hasToken ? { ...session.context, ...ofToken(from.identity) } : undefined
  const asked = { client: session, context, request, sink }
  if (request.method === rpcMethods.jobResult) return collect(jobs, dispatching, asked)
  const { profile } = session.tenant
  // Most requests ask for no delivery, and most profiles have none of their own.
  if (request.options === undefined && from.respondAsync !== true && profile.delivery === 'inline') {
    return dispatch(dispatching, asked)
  }
  const delivery = deliveryOf(request, session.context, from, profile)
  if (delivery.kind === 'inline') dispatch(dispatching, asked)
  else deferred.submit(session, context ?? session.context, request, delivery, sink)
}
