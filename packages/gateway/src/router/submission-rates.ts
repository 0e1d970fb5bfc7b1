import type { CallContext } from '@junctor/exchange'
import { isJsonObject, type Request } from '@junctor/jsonrpc'
import type { ErrorDetails, Profile } from '@junctor/protocol'
import { canonicalMethod, methods, rpcMethods } from '@junctor/protocol'
import type { CallRates } from '../rates/call-rates.ts'
import type { RatedCall } from '../rates/rate-book.ts'
import { rateDetails } from '../rates/rate-refusal.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { TenantRates } from '../shared/tenant-rates.ts'
import type { Caller } from '../upstream/callers/caller.ts'
import type { CallerViews } from '../upstream/callers/caller-views.ts'
import { ownerOf } from '../upstream/callers/owner-of.ts'
import { pairOf } from '../upstream/catalogue/tool-names.ts'

/** Whether a request may become a job, by the rates of its tenant. */
type RateVerdict =
  | { readonly kind: 'refused'; readonly details: ErrorDetails }
  /** `giveBack` is called when the request becomes no job: it is a repeat, or cannot be stored. */
  | { readonly kind: 'counted'; readonly giveBack: () => void }

/** Counts requests that are about to become jobs. `undefined`: the rates of the tenant do not apply to the request. */
export type CountSubmission = (
  request: Request,
  context: CallContext,
) => RateVerdict | undefined | Promise<RateVerdict | undefined>

export interface SubmissionRateParts {
  readonly rates: CallRates
  readonly tenants: ReadonlyMap<string, TenantEntry>
  /** The caller at this node for requests in a context; of another node's session, that of its principal. */
  readonly callerOf: (context: CallContext) => Caller | undefined
  readonly views: Pick<CallerViews, 'having'>
}

/** Methods that the gateway answers without a backend, or that only change what a backend sends by itself. */
const ofGateway: ReadonlySet<string> = new Set([
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
  return !ofGateway.has(method) && !Object.hasOwn(added, method)
}

export function createSubmissionRates({ rates, tenants, callerOf, views }: SubmissionRateParts): CountSubmission {
  const count = (own: TenantRates, call: RatedCall): RateVerdict => {
    const refusal = rates.take(own, call)
    return refusal === undefined
      ? { kind: 'counted', giveBack: () => rates.giveBack(own, call) }
      : { kind: 'refused', details: rateDetails(refusal) }
  }

  /** A tool that no backend has is refused when the job runs. */
  const countTool = async (
    own: TenantRates,
    request: Request,
    context: CallContext,
  ): Promise<RateVerdict | undefined> => {
    const params = request.params?.value()
    const name = isJsonObject(params) ? params['name'] : undefined
    const caller = callerOf(context)
    if (typeof name !== 'string' || caller === undefined) return undefined
    const owner = ownerOf(await views.having(caller, 'tools', name), 'tools', name)
    if (owner.kind !== 'one' || owner.route.entry.builtIn === true) return undefined
    return count(own, { principal: context.principal, tool: pairOf(owner.route) })
  }

  return (request, context) => {
    const tenant = tenants.get(context.tenant)
    if (tenant?.rates === undefined) return undefined
    const { profile } = tenant.tenant
    const method = canonicalMethod(profile, request.method)
    if (!isRated(method, profile)) return undefined
    return method === methods.toolsCall
      ? countTool(tenant.rates, request, context)
      : count(tenant.rates, { principal: context.principal, tool: undefined })
  }
}
