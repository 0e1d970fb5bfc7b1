import type { Head } from '@junctor/contracts'
import type { Handler, Outcome } from '@junctor/exchange'
import { memberOf, type Request } from '@junctor/jsonrpc'
import { andThen } from '@junctor/primitives'
import { judgeParameterHeaders, methods } from '@junctor/protocol'
import { errorOutcome } from '../../shared/errors.ts'
import type { SessionlessCallers } from '../../sessions/sessionless/sessionless-callers.ts'
import { withCallerToken } from '../../upstream/callers/with-caller-token.ts'
import { findRoute } from '../../upstream/callers/caller-view.ts'
import type { Upstream } from '../../upstream/upstream.ts'

/** Where the schema of a tool is found for a caller, and who answers a request whose headers are good. */
export interface CheckParametersParts {
  readonly views: Upstream['views']
  readonly sessionless: Pick<SessionlessCallers, 'of'>
  /** Answers requests whose headers repeat their arguments. */
  readonly answer: Handler
}

/** Returns the handler for a request with these headers. */
export type HeaderCheck = (head: Pick<Head, 'header'>) => Handler

/**
 * Checks the headers that repeat arguments of a tool (2026-07-28, Streamable HTTP, "Server Behavior for Custom Headers").
 * Only the tool's schema says which they are.
 */
export function createHeaderCheck({ views, sessionless, answer }: CheckParametersParts): HeaderCheck {
  return (head) => (request, exchange) => {
    const name = toolNamedIn(request)
    const caller = name === undefined ? undefined : withCallerToken(sessionless.of(exchange.context), exchange.context)
    if (name === undefined || caller === undefined) return answer(request, exchange)
    return andThen(views.forName(caller, 'tools', name), (seen): Outcome | Promise<Outcome> => {
      if (!seen.view.wantsHeaders) return answer(request, exchange)
      const match = findRoute(seen, 'tools', name)
      const wanted = match.kind === 'one' ? (match.route.traits?.parameterHeaders ?? []) : []
      const problem = judgeParameterHeaders(wanted, request.params, (header) => head.header(header))
      return problem === undefined
        ? answer(request, exchange)
        : errorOutcome(exchange.context, 'header_mismatch', problem)
    })
  }
}

/** The tool that a request calls. Undefined: it calls none. */
function toolNamedIn({ method, params }: Request): string | undefined {
  const name = method === methods.toolsCall ? memberOf(params?.value(), 'name') : undefined
  return typeof name === 'string' ? name : undefined
}
