import type { Fact } from '@junctor/exchange'
import { andThen } from '@junctor/exchange'
import { edit } from '@junctor/jsonrpc'
import type { Call } from '../calls/call.ts'
import type { Route } from '../catalogue/tenant-view.ts'
import { failed } from '../errors.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { textParam } from './params.ts'
import { unreachableOwner } from './unreachable.ts'

/** What backends offer by name, and what a name is that nobody offers. */
const unknown = { tools: 'unknown_tool', prompts: 'unknown_prompt' } as const

/** `tools/call` and `prompts/get`: the backend that owns the name gets the request under its own name. */
export function namedRoute(
  { views, calls, tell }: Pick<RouterParts, 'views' | 'calls' | 'tell'>,
  kind: keyof typeof unknown,
): MethodRoute {
  return (call) => {
    const read = textParam(call, 'name')
    if (read.kind === 'bad') return read.outcome
    const { text: name, params } = read
    return andThen(views.having(call.session, kind, name), ({ view }) => {
      const route = view.routes[kind].get(name)
      if (route === undefined) return unreachableOwner(call, name) ?? failed(call, unknown[kind], { name })
      // The gateway's own tools are how one looks at what is told, and no part of it.
      if (kind === 'tools' && route.entry.builtIn !== true) {
        call.tool = name
        tell(started(call, route, name))
      }
      const { request } = call
      const renamed = route.name === name ? request : { ...request, params: edit(params, { name: route.name }) }
      return calls.run(call, route.entry, renamed)
    })
  }
}

function started(call: Call, { entry }: Route, tool: string): Fact {
  const { tenant, principal } = call.exchange.context
  return {
    kind: 'tool_call_started',
    tenant,
    backend: entry.backend.name,
    tool,
    trace: call.trace,
    principal: principal.key,
  }
}
