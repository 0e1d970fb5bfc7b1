import type { CallContext } from '@junctor/exchange'
import { memberOf, type Request } from '@junctor/jsonrpc'
import {
  canonicalMethod,
  type ErrorDetails,
  methods,
  type Profile,
  rpcMethods,
  type Situation,
} from '@junctor/protocol'
import type { CallRates } from '../rates/call-rates.ts'
import type { RatedCall } from '../rates/rate-book.ts'
import { rateDetails } from '../rates/rate-refusal.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { TenantRates } from '../shared/tenant-rates.ts'
import { lackingScopes } from '../shared/tool-scopes.ts'
import type { Caller } from '../upstream/callers/caller.ts'
import type { CallerViews } from '../upstream/callers/caller-views.ts'
import { findRoute } from '../upstream/callers/caller-view.ts'
import { qualifiedNameOf } from '../upstream/catalogue/tool-names.ts'

/** Whether a request may become a job, by the rates of its tenant and the scopes of its token. */
export type SubmissionVerdict =
  | { readonly kind: 'refused'; readonly situation: Situation; readonly details: ErrorDetails }
  /** `giveBack` is called when the request becomes no job: it is a repeat, or cannot be stored. */
  | { readonly kind: 'counted'; readonly giveBack: () => void }

/** Judges requests that are about to become jobs. `undefined`: nothing limits the request. */
export type JudgeSubmission = (
  request: Request,
  context: CallContext,
) => SubmissionVerdict | undefined | Promise<SubmissionVerdict | undefined>

/** What limits a request that becomes a job: the rates of its tenant, and the scopes that its tool needs. */
export interface SubmissionRateParts {
  readonly rates: CallRates
  readonly tenants: ReadonlyMap<string, TenantEntry>
  /** Returns the caller at this node for a context. For a session of another node, it is the caller of its principal. */
  readonly callerOf: (context: CallContext) => Caller | undefined
  readonly views: Pick<CallerViews, 'forName'>
}

/** Methods that the gateway answers without a backend, or that only change what a backend sends by itself. */
const answeredByGateway: ReadonlySet<string> = new Set([
  methods.initialize,
  methods.ping,
  methods.toolsList,
  methods.resourcesList,
  methods.resourcesTemplatesList,
  methods.promptsList,
  methods.resourcesSubscribe,
  methods.resourcesUnsubscribe,
  methods.loggingSetLevel,
  methods.tasksGet,
  methods.tasksResult,
  methods.tasksList,
  methods.tasksCancel,
  methods.tasksUpdate,
  ...Object.values(rpcMethods),
])

/** Whether rates apply to a method. It is canonical. */
function isRated(method: string, { methods: added }: Pick<Profile, 'methods'>): boolean {
  return !answeredByGateway.has(method) && !Object.hasOwn(added, method)
}

/** Judges requests before they become jobs: by the scopes that their tools need, and by the tenant's rates. */
export function createSubmissionJudge({ rates, tenants, callerOf, views }: SubmissionRateParts): JudgeSubmission {
  const count = (own: TenantRates, call: RatedCall): SubmissionVerdict => {
    const refusal = rates.take(own, call)
    return refusal === undefined
      ? { kind: 'counted', giveBack: () => rates.giveBack(own, call) }
      : { kind: 'refused', situation: 'too_many_requests', details: rateDetails(refusal) }
  }

  /** A tool that no backend has is refused when the job runs. */
  const judgeTool = async (
    { rates: own, toolScopes }: TenantEntry,
    request: Request,
    context: CallContext,
  ): Promise<SubmissionVerdict | undefined> => {
    const name = memberOf(request.params?.value(), 'name')
    const caller = callerOf(context)
    if (typeof name !== 'string' || caller === undefined) return undefined
    const match = findRoute(await views.forName(caller, 'tools', name), 'tools', name)
    if (match.kind !== 'one') return undefined
    const tool = qualifiedNameOf(match.route)
    const lacking = toolScopes && context.scopes && lackingScopes(toolScopes, tool, context.scopes)
    if (lacking !== undefined) return { kind: 'refused', situation: 'forbidden', details: lacking }
    if (own === undefined || match.route.entry.builtIn === true) return undefined
    return count(own, { principal: context.principal, tool })
  }

  return (request, context) => {
    const tenant = tenants.get(context.tenant)
    if (tenant === undefined) return undefined
    const { rates: own, toolScopes } = tenant
    if (own === undefined && (toolScopes === undefined || context.scopes === undefined)) return undefined
    const { profile } = tenant.tenant
    const method = canonicalMethod(profile, request.method)
    if (!isRated(method, profile)) return undefined
    if (method === methods.toolsCall) return judgeTool(tenant, request, context)
    return own && count(own, { principal: context.principal, tool: undefined })
  }
}
