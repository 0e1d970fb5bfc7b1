import type { Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import { edit, isJsonObject, memberOf, rewrite } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import type { RouteMatch } from '../upstream/catalogue/route-match.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import { type ReadParam, textParam } from './params.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import { findSkillFile } from './find-skill-file.ts'
import type { SkillLists } from './skills/skill-lists.ts'
import { ambiguous, resourceRoute } from './resource-route.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { refuseOverRate } from './refuse-over-rate.ts'
import { unreachableResource } from './unreachable.ts'

/** `resources/read`: goes to the backend that owns the URI: it is listed, matches a template, or is a file of a skill. */
export function readResourceRoute(
  parts: Pick<RouterParts, 'views' | 'calls' | 'rates'>,
  skills: SkillLists,
): MethodRoute {
  const inSkills: FindOwner = (call, callerView, uri) => findSkillFile(skills, call, callerView, uri)
  const find: FindOwner = (call, callerView, uri) => {
    const [first, second] = isSkillUri(uri) ? [inSkills, inLists] : [inLists, inSkills]
    return andThen<RouteMatch, RouteMatch>(first(call, callerView, uri), (match) =>
      match.kind === 'none' ? second(call, callerView, uri) : match,
    )
  }
  return onResource(parts, find, (call, route, { text: uri, params }) => {
    const refused = refuseOverRate(parts.rates, call, route.entry)
    if (refused !== undefined) return refused
    const outcome = parts.calls.run(call, route.entry, { ...call.request, params: edit(params, { uri: route.name }) })
    return uri === route.shown ? outcome : andThen(outcome, (read) => underAskedUri(read, route.shown, uri))
  })
}

/** `resources/subscribe`: the first session of a link subscribes at the backend. */
export function subscribeRoute(parts: Pick<RouterParts, 'views' | 'subscriptions'>): MethodRoute {
  return onResource(parts, inLists, (call, route) => parts.subscriptions.subscribe(call, route))
}

/** `resources/unsubscribe`: the last session of a link unsubscribes at the backend, if that is there. */
export function unsubscribeRoute(parts: Pick<RouterParts, 'views' | 'subscriptions'>): MethodRoute {
  const { subscriptions } = parts
  const listed = onResource(parts, inLists, (call, route) => subscriptions.unsubscribe(call, route))
  return (call) => {
    const read = textParam(call, 'uri')
    if (read.kind !== 'bad' && subscriptions.removeWaiting(call.caller, read.text)) return emptyOutcome
    return listed(call)
  }
}

/** Finds the backend that owns a URI. */
type FindOwner = (call: Call, callerView: CallerView, uri: string) => RouteMatch | Promise<RouteMatch>

const inLists: FindOwner = (call, callerView, uri) => resourceRoute(callerView, call.caller.tenant, uri)

/** The usual scheme of skills. Their URIs need not be listed, and may begin like one with a prefix. */
function isSkillUri(uri: string): boolean {
  return /^skill:/i.test(uri)
}

function onResource(
  { views }: Pick<RouterParts, 'views'>,
  find: FindOwner,
  act: (call: Call, route: Route, asked: ReadParam) => Outcome | Promise<Outcome>,
): MethodRoute {
  return (call) => {
    const read = textParam(call, 'uri')
    if (read.kind === 'bad') return read.outcome
    const uri = read.text
    const { tenant } = call.caller
    const isFound = (callerView: CallerView): boolean => resourceRoute(callerView, tenant, uri).kind === 'one'
    return andThen(views.forMatch(call.caller, isFound), (callerView) =>
      andThen(find(call, callerView, uri), (match) => {
        if (match.kind === 'one') {
          const { route } = match
          const outcome = act(call, route, read)
          return uri === route.name ? outcome : andThen(outcome, (own) => aboutAskedUri(own, route.name, uri))
        }
        if (match.kind === 'several') return ambiguous(call, uri, match.candidates)
        return unreachableResource(views, call, callerView) ?? failed(call, 'unknown_resource', { name: uri })
      }),
    )
  }
}

/** An error that names the backend's own URI, with the one that the client has asked for (Resources, "Error Handling"). */
function aboutAskedUri(outcome: Outcome, own: string, asked: string): Outcome {
  if (outcome.kind !== 'error') return outcome
  const { error } = outcome
  const value = error.data?.value()
  if (error.data === undefined || !isJsonObject(value) || value['uri'] !== own) return outcome
  return { ...outcome, error: { ...error, data: edit(error.data, { uri: asked }) } }
}

/** The contents under the URI that the client has asked for, because hosts compare the two. */
function underAskedUri(outcome: Outcome, shown: string, asked: string): Outcome {
  if (outcome.kind !== 'complete') return outcome
  const result = rewrite(outcome.result, (copy) => {
    const contents = memberOf(copy, 'contents')
    if (!isJsonObject(copy) || !Array.isArray(contents)) return copy
    const renamed = contents.map((one) => (isJsonObject(one) && one['uri'] === shown ? { ...one, uri: asked } : one))
    return { ...copy, contents: renamed }
  })
  return { kind: 'complete', result }
}
