import type { Emit } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import { isJsonObject, type Request } from '@junctor/jsonrpc'
import { canonicalMethod, methods } from '@junctor/protocol'
import type { HomeCalls } from '../nodes/home-calls.ts'
import { errorData, errorFor } from '../shared/errors.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { traceIdOf } from '../shared/trace-parent.ts'
import { namedOwners } from '../upstream/callers/possible-owner.ts'
import { requestOutcome } from '../upstream/calls/request-outcome.ts'

/** The tenants of the lost requests, and the listener of their events. */
export interface LostCallParts {
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly emit: Emit
}

/**
 * Calls to homes that report the requests whose home was lost before it answered: it cannot report them itself, and the
 * audit must have a line of each call that may have run.
 */
export function reportLostCalls(homeCalls: HomeCalls, { tenants, emit }: LostCallParts): HomeCalls {
  return (home) => {
    const handler = homeCalls(home)
    return async (request, exchange) => {
      const began = performance.now()
      const outcome = await handler(request, exchange)
      const tenant = tenants.get(exchange.context.tenant)
      if (isHomeLost(outcome) && tenant !== undefined) report(emit, tenant, request, exchange, outcome, began)
      return outcome
    }
  }
}

type LostOutcome = Extract<Outcome, { readonly kind: 'error' }>

/** Whether the home did not answer. A loss behind it names a backend, and the home has reported it. */
function isHomeLost(outcome: Outcome): outcome is LostOutcome {
  return outcome.kind === 'error' && outcome.loss !== undefined && errorData(outcome)['backend'] === undefined
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

/** The names that tools may have (2025-11-25, "Tool Names"): only the home knows which ones exist. */
const toolName = /^[\w.:/-]{1,128}$/

function toolIn({ params }: Request): string | undefined {
  const value = params?.value()
  const name = isJsonObject(value) ? value['name'] : undefined
  return typeof name === 'string' && toolName.test(name) ? name : undefined
}
