import { andThen } from '@junctor/primitives'
import { isJsonObject } from '@junctor/jsonrpc'
import { type AddedRequest, isAtLeast } from '@junctor/protocol'
import type { TenantView } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { passThroughRoute } from './pass-through-route.ts'

/** Methods that the tenant's profile adds, answered from what its clients see. All other methods go to the backends. */
export function profileMethodRoute({
  views,
  ...parts
}: Pick<RouterParts, 'views' | 'owners' | 'calls' | 'rates'>): MethodRoute {
  const passThrough = passThroughRoute(parts)
  return (call) => {
    const { id, method, params } = call.request
    const { methods } = call.caller.tenant.tenant.profile
    const added = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (added === undefined) return passThrough(call)
    if (!isAtLeast(call.exchange.context.revision, added.first)) {
      return failed(call, 'method_not_in_revision', { name: method })
    }
    return andThen(views.of(call.caller), ({ view }) => {
      const answer = added.answer({ id, params, offered: (kind, name) => offered(view, kind, name) })
      return answer.kind === 'complete' ? answer : failed(call, answer.situation, answer.details)
    })
  }
}

function offered(view: TenantView, kind: 'tools' | 'prompts', name: string): ReturnType<AddedRequest['offered']> {
  const values = view.lists[kind].map((item) => item.value()).filter(isJsonObject)
  return values.find((value) => value['name'] === name)
}
