import { andThen } from '@junctor/exchange'
import { edit } from '@junctor/jsonrpc'
import { failed } from '../errors.ts'
import { textParam } from './params.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { unreachableOwner } from './unreachable.ts'

/** `tools/call`: the backend that owns the name gets the call under its own name. */
export function callToolRoute({ views, calls }: Pick<RouterParts, 'views' | 'calls'>): MethodRoute {
  return (call) => {
    const read = textParam(call, 'name')
    if (read.kind === 'bad') return read.outcome
    const { text: name, params } = read
    return andThen(views.of(call.session), ({ view }) => {
      const route = view.routes.tools.get(name)
      if (route === undefined) {
        return unreachableOwner(call, name) ?? failed(call, 'unknown_tool', { name })
      }
      const { request } = call
      const renamed = route.name === name ? request : { ...request, params: edit(params, { name: route.name }) }
      return calls.run(call, route.entry, renamed)
    })
  }
}
