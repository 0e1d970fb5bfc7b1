import type { Outcome } from '@junctor/exchange'
import { edit, type JsonObject, type Request } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import { type CallerView, findRoute } from '../upstream/callers/caller-view.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { refuseOverRate } from './refuse-over-rate.ts'
import { type ReadParam, textParam } from './params.ts'
import { ambiguous } from './resource-route.ts'
import { unreachableOwner } from './unreachable.ts'
import { lackingScopes } from '../shared/tool-scopes.ts'
import { qualifiedNameOf } from '../upstream/catalogue/tool-names.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import { possibleOwner } from '../upstream/callers/possible-owner.ts'
import { permitsName, policyOf } from '../shared/name-policy.ts'

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

/** The error for the call of a tool that the caller's token has too few scopes for. `undefined`: it has enough. */
function refuseLackingScope(call: Call, tool: Route): Outcome | undefined {
  const { scopes } = call.exchange.context
  const { toolScopes } = call.caller.tenant
  if (scopes === undefined || toolScopes === undefined) return undefined
  const details = lackingScopes(toolScopes, qualifiedNameOf(tool), scopes)
  return details && failed(call, 'forbidden', details)
}

/**
 * The route of a name that no list has, but that may be of a backend with accounts of persons. Such a backend lists
 * nothing but its `connect` tool once an access has ended, and a client that remembers its tools must get the link to
 * agree again, not "unknown". Where the person is connected, the server itself answers that it does not have the name.
 *
 * @returns `undefined`: no such backend has the name, or the tenant's policy or the backend's pins hide it
 */
function unlistedRoute(tenant: TenantEntry, kind: 'tools' | 'prompts', name: string): Route | undefined {
  const personal = tenant.backends.filter(({ backend }) => backend.isPersonal === true)
  const entry = possibleOwner(tenant, personal, name)
  if (entry === undefined || entry.pins?.mode === 'block') return undefined
  const prefix = prefixIn(tenant, entry)
  const own = prefix === '' ? name : name.slice(prefix.length + tenant.separator.length)
  const isPermitted = permitsName(policyOf(tenant, kind), entry.backend.name, own)
  return isPermitted ? { entry, name: own, shown: name } : undefined
}
