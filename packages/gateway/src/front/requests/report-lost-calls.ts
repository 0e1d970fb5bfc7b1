import type { Emit } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import { memberOf, type Request } from '@junctor/jsonrpc'
import { canonicalMethod, methods } from '@junctor/protocol'
import { errorData, errorFor, isLost, type LostOutcome } from '../../shared/errors.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { traceIdOf } from '../../shared/trace-parent.ts'
import { namedOwners } from '../../upstream/callers/possible-owner.ts'
import { requestOutcome } from '../../upstream/calls/request-outcome.ts'

/** The tenants of the lost requests, and the listener of their events. */
export interface LostCallParts {
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly emit: Emit
}

/**
 * Sends requests to another node, and reports those that are lost with it: it cannot report them itself, and the audit must
 * have a line of each call that may have run.
 */
export function reportLostCalls(handler: Handler, { tenants, emit }: LostCallParts): Handler {
  return async (request, exchange) => {
    const began = performance.now()
    const outcome = await handler(request, exchange)
    const tenant = tenants.get(exchange.context.tenant)
    if (isNodeGone(outcome) && tenant !== undefined) report(emit, tenant, request, exchange, outcome, began)
    return outcome
  }
}

/** Whether the node did not answer. A loss behind it names a backend, and the node has reported it. */
function isNodeGone(outcome: Outcome): outcome is LostOutcome {
  return isLost(outcome) && errorData(outcome)['backend'] === undefined
}

function report(
  emit: Emit,
  tenant: TenantEntry,
  request: Request,
  { context, ended }: Exchange,
  lost: LostOutcome,
  began: number,
): void {
  const { profile } = tenant.tenant
  const method = canonicalMethod(profile, request.method)
  const tool = method === methods.toolsCall ? toolIn(request) : undefined
  const owners = tool === undefined ? [] : namedOwners(tenant, tool)
  // As the client is told.
  const error = lost.loss === 'cut' ? errorFor(context, request.dialect, profile, 'outcome_unknown') : lost.error
  const { outcome, code, reason } = requestOutcome(method, { kind: 'error', error }, ended, false)
  emit({
    kind: 'request_finished',
    tenant: context.tenant,
    transport: context.transport ?? 'http',
    method,
    backend: owners.length === 1 ? owners[0]?.backend.name : undefined,
    tool,
    trace: traceIdOf(context.trace),
    principal: context.principal.key,
    outcome,
    code,
    origin: ended === undefined ? 'gateway' : undefined,
    reason,
    durationMs: performance.now() - began,
    backendMs: 0,
  })
}

/** The names that tools may have (2025-11-25, "Tool Names"): only the node that is lost knew which ones exist. */
const toolName = /^[\w.:/-]{1,128}$/

function toolIn({ params }: Request): string | undefined {
  const name = memberOf(params?.value(), 'name')
  return typeof name === 'string' && toolName.test(name) ? name : undefined
}
