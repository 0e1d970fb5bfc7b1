import type { Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import { edit, isJsonObject, member, type Payload, payloadFromText } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import { ambiguous, resourceRoute } from './resource-route.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { unreachableOwner, unreachableResource } from './unreachable.ts'
import { refuseOverRate } from './refuse-over-rate.ts'

/** The answer for a backend without completions. It is not an error, because typing continues without completions. */
const noValues: Outcome = {
  kind: 'complete',
  result: payloadFromText('{"completion":{"values":[],"total":0,"hasMore":false}}'),
}

/** The most values of an answer (Completion, "Completion Results"). */
const mostValues = 100

type Reference =
  | { readonly kind: 'found'; readonly route: Route; readonly member: 'name' | 'uri' }
  | { readonly kind: 'bad'; readonly outcome: Outcome }

/** `completion/complete`: goes to the backend that owns the prompt or resource that is being typed. */
export function completeRoute({ views, calls, rates }: Pick<RouterParts, 'views' | 'calls' | 'rates'>): MethodRoute {
  return (call) => {
    const { params } = call.request
    const ref = params && member(params, 'ref')
    if (params === undefined || ref === undefined) return malformed(call)
    const read = (callerView: CallerView): Reference => readReference(views, call, ref.value(), callerView)
    return andThen(
      views.forMatch(call.caller, (callerView) => read(callerView).kind === 'found'),
      (callerView) => {
        const reference = read(callerView)
        if (reference.kind === 'bad') return reference.outcome
        const { route } = reference
        const refused = refuseOverRate(rates, call, route.entry)
        if (refused !== undefined) return refused
        const sent = edit(params, { ref: edit(ref, { [reference.member]: route.name }) })
        return andThen(calls.run(call, route.entry, { ...call.request, params: sent }), completed)
      },
    )
  }
}

/** A backend without completions answers that it does not know the method. */
function completed(outcome: Outcome): Outcome {
  if (outcome.kind === 'error') return outcome.error.code === -32601 ? noValues : outcome
  return outcome.kind === 'complete' ? { ...outcome, result: withMostValues(outcome.result) } : outcome
}

/** An answer with more values than the schema allows would be unreadable for a client: they are in the order of their rank. */
function withMostValues(result: Payload): Payload {
  const completion = member(result, 'completion')
  const values = completion && member(completion, 'values')?.value()
  if (completion === undefined || !Array.isArray(values) || values.length <= mostValues) return result
  return edit(result, { completion: edit(completion, { values: values.slice(0, mostValues), hasMore: true }) })
}

function readReference(views: RouterParts['views'], call: Call, ref: unknown, callerView: CallerView): Reference {
  const { type, name, uri } = isJsonObject(ref) ? ref : {}
  if (type === 'ref/prompt' && typeof name === 'string') {
    const route = callerView.view.routes.prompts.get(name)
    if (route !== undefined) return { kind: 'found', route, member: 'name' }
    return {
      kind: 'bad',
      outcome: unreachableOwner(views, call, callerView, 'prompts', name) ?? failed(call, 'unknown_prompt', { name }),
    }
  }
  if (type === 'ref/resource' && typeof uri === 'string') {
    const match = resourceRoute(callerView, call.caller.tenant, uri)
    if (match.kind === 'one') return { kind: 'found', route: match.route, member: 'uri' }
    if (match.kind === 'several') return { kind: 'bad', outcome: ambiguous(call, uri, match.candidates) }
    const message = `Unknown resource template: ${uri}`
    return {
      kind: 'bad',
      outcome: unreachableResource(views, call, callerView) ?? failed(call, 'invalid_params', { message }),
    }
  }
  return { kind: 'bad', outcome: malformed(call) }
}

function malformed(call: Call): Outcome {
  const message = 'Expects "ref" to be {"type":"ref/prompt","name"} or {"type":"ref/resource","uri"}'
  return failed(call, 'invalid_params', { message })
}
