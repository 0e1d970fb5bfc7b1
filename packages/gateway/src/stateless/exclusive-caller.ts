import type { Exchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { canBeAsked, eraOf, isLogLevel, type LogLevel, metaKeys } from '@junctor/protocol'
import type { Caller } from '../upstream/callers/caller.ts'
import { metaOf } from '../shared/request-view.ts'
import { RequestCaller, type RequestCallerParts } from './request-caller.ts'

/**
 * Returns the caller of a request of 2026-07-28 that must not share a link: its client can be asked, or it asks for log
 * messages. The code that runs the request releases it. `undefined`: the request uses the caller of its principal.
 *
 * @param shared the caller of the principal
 */
export type ExclusiveCaller = (shared: Caller, request: Request, exchange: Exchange) => RequestCaller | undefined

/**
 * Creates the decision. Requests of a session, and of revisions with a handshake, never get a caller of their own
 * here.
 */
export function createExclusiveCaller(parts: RequestCallerParts): ExclusiveCaller {
  return (shared, request, exchange) => {
    const { revision, session, client } = exchange.context
    if (session !== undefined || eraOf(revision) === 'handshake') return undefined
    const logLevel = logLevelOf(request)
    const isExclusive = logLevel !== undefined || canBeAsked(client.capabilities)
    return isExclusive ? new RequestCaller(shared, exchange, logLevel, parts) : undefined
  }
}

function logLevelOf(request: Request): LogLevel | undefined {
  const level = metaOf(request)?.[metaKeys.logLevel]
  return isLogLevel(level) ? level : undefined
}
