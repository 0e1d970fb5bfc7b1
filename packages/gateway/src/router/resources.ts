import type { Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import { edit } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import { textParam } from './params.ts'
import { resourceRoute } from './resource-route.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'

/** `resources/read`: goes to the backend that owns the URI, which is listed or matches a template. */
export function readResourceRoute(parts: Pick<RouterParts, 'views' | 'calls'>): MethodRoute {
  return onResource(parts, (call, route) => {
    const { request } = call
    const { params } = request
    if (params === undefined) return failed(call, 'invalid_params')
    return parts.calls.run(call, route.entry, { ...request, params: edit(params, { uri: route.name }) })
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
  act: (call: Call, route: Route) => Outcome | Promise<Outcome>,
): MethodRoute {
  return (call) => {
    const read = textParam(call, 'uri')
    if (read.kind === 'bad') return read.outcome
    const uri = read.text
    return andThen(views.of(call.caller), ({ view }) => {
      const route = resourceRoute(view, call.caller.tenant, uri)
      if (route !== undefined) return act(call, route)
      return failed(call, 'unknown_resource', { name: uri })
    })
  }
}
