import type { Exchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { LogLevel } from '@junctor/protocol'
import { canBeAsked, eraOf, isLogLevel, metaKeys } from '@junctor/protocol'
import type { Caller } from '../upstream/callers/caller.ts'
import type { HomeCallers } from '../upstream/callers/home-callers.ts'
import { metaOf } from '../shared/request-view.ts'
import { RequestCaller, type RequestCallerParts } from './request-caller.ts'

/** The callers of requests of 2026-07-28 that must have links of their own. */
export interface StatelessCallers extends Pick<HomeCallers, 'peek'> {
  /**
   * The caller of a request that must not share a link: its client can be asked, or it asks for log messages. The code
   * that runs the request releases it. `undefined`: the request uses the caller of its principal.
   */
  alone(shared: Caller, request: Request, exchange: Exchange): RequestCaller | undefined
}

/** @param holders the caller of each link in use, by its id */
export function createStatelessCallers(parts: RequestCallerParts): StatelessCallers {
  return {
    alone(shared, request, exchange) {
      const { revision, session, client } = exchange.context
      if (session !== undefined || eraOf(revision) === 'handshake') return undefined
      const logLevel = logLevelOf(request)
      const isAlone = logLevel !== undefined || canBeAsked(client.capabilities)
      return isAlone ? new RequestCaller(shared, exchange, logLevel, parts) : undefined
    },
    peek: (id) => parts.holders.get(id),
  }
}

function logLevelOf(request: Request): LogLevel | undefined {
  const level = metaOf(request)?.[metaKeys.logLevel]
  return isLogLevel(level) ? level : undefined
}
