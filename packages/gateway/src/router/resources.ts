import type { Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import { edit, isJsonObject, rewrite } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import { textParam } from './params.ts'
import { ambiguous, resourceRoute } from './resource-route.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'

/** `resources/read`: goes to the backend that owns the URI, which is listed or matches a template. */
export function readResourceRoute(parts: Pick<RouterParts, 'views' | 'calls'>): MethodRoute {
  return onResource(parts, (call, route, uri) => {
    const { request } = call
    const { params } = request
    if (params === undefined) return failed(call, 'invalid_params')
    const outcome = parts.calls.run(call, route.entry, { ...request, params: edit(params, { uri: route.name }) })
    return uri === route.shown ? outcome : andThen(outcome, (read) => underAskedUri(read, route.shown, uri))
  })
}

/** `resources/subscribe`: the first session of a link subscribes at the backend. */
export function subscribeRoute(parts: Pick<RouterParts, 'views' | 'subscriptions'>): MethodRoute {
  return onResource(parts, (call, route) => parts.subscriptions.subscribe(call, route))
}

/** `resources/unsubscribe`: the last session of a link unsubscribes at the backend. */
export function unsubscribeRoute(parts: Pick<RouterParts, 'views' | 'subscriptions'>): MethodRoute {
  return onResource(parts, (call, route) => parts.subscriptions.unsubscribe(call, route))
}

function onResource(
  { views }: Pick<RouterParts, 'views'>,
  act: (call: Call, route: Route, uri: string) => Outcome | Promise<Outcome>,
): MethodRoute {
  return (call) => {
    const read = textParam(call, 'uri')
    if (read.kind === 'bad') return read.outcome
    const uri = read.text
    return andThen(views.of(call.caller), (seen) => {
      const owner = resourceRoute(seen, call.caller.tenant, uri)
      if (owner.kind === 'route') return act(call, owner.route, uri)
      if (owner.kind === 'several') return ambiguous(call, uri, owner.candidates)
      return failed(call, 'unknown_resource', { name: uri })
    })
  }
}

/** The contents under the URI that the client has asked for, because hosts compare the two. */
function underAskedUri(outcome: Outcome, shown: string, asked: string): Outcome {
  if (outcome.kind !== 'complete') return outcome
  const result = rewrite(outcome.result, (copy) => {
    const contents = isJsonObject(copy) ? copy['contents'] : undefined
    if (!isJsonObject(copy) || !Array.isArray(contents)) return copy
    const renamed = contents.map((one) => (isJsonObject(one) && one['uri'] === shown ? { ...one, uri: asked } : one))
    return { ...copy, contents: renamed }
  })
  return { kind: 'complete', result }
}
