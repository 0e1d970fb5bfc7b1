import type { Outcome } from '@junctor/exchange'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import { edit } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import { findRoute } from '../upstream/callers/find-route.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { refuseLackingScope } from './refuse-lacking-scope.ts'
import { refuseOverRate } from './refuse-over-rate.ts'
import type { ReadParam } from './params.ts'
import { textParam } from './params.ts'
import { ambiguous } from './resource-route.ts'
import { unlistedRoute } from './unlisted-route.ts'
import { unreachableOwner } from './unreachable.ts'

/** The kinds that backends offer by name, with the situation for an unknown name. */
const unknown = { tools: 'unknown_tool', prompts: 'unknown_prompt' } as const

/** `prompts/get`: goes to the backend that owns the name, under the backend's own name. */
export function promptRoute(parts: RouterParts): MethodRoute {
  return namedRoute(parts, 'prompts', (call, route, request) => parts.calls.run(call, route.entry, request))
}

/** Sends a request to its backend, with the backend's own names. `params` are those of the client. */
export type Run = (call: Call, route: Route, request: Request, params: JsonObject) => Outcome | Promise<Outcome>

/** Answers a request that names a tool or a prompt: `run` gets the backend that owns the name. */
export function namedRoute(
  { views, rates }: Pick<RouterParts, 'views' | 'rates'>,
  kind: keyof typeof unknown,
  run: Run,
): MethodRoute {
  const runIn = (seen: CallerView, call: Call, read: ReadParam): Outcome | Promise<Outcome> => {
    const { text: name, params, value } = read
    const match = findRoute(seen, kind, name)
    if (match.kind === 'several') return ambiguous(call, name, match.candidates)
    const unreachable = match.kind === 'none' ? unreachableOwner(views, call, seen, kind, name) : undefined
    if (unreachable !== undefined) return unreachable
    const route = match.kind === 'one' ? match.route : unlistedRoute(call.caller.tenant, kind, name)
    if (route === undefined) return failed(call, unknown[kind], { name })
    const tool = kind === 'tools' ? route : undefined
    const { rates: own, toolScopes } = call.caller.tenant
    const refused =
      own === undefined && toolScopes === undefined
        ? undefined
        : ((tool && refuseLackingScope(call, tool)) ?? refuseOverRate(rates, call, route.entry, tool))
    if (refused !== undefined) return refused
    const { request } = call
    const renamed = route.name === name ? request : { ...request, params: edit(params, { name: route.name }) }
    return run(call, route, renamed, value)
  }

  return (call) => {
    const read = textParam(call, 'name')
    if (read.kind === 'bad') return read.outcome
    const seen = views.forName(call.caller, kind, read.text)
    return seen instanceof Promise ? seen.then((view) => runIn(view, call, read)) : runIn(seen, call, read)
  }
}
