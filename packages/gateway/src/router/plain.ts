import { failed } from '../upstream/calls/failed.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'

/**
 * Methods outside MCP: the backend that has the method gets the unchanged request. A method without a backend is not
 * found.
 */
export function plainRoute({ owners, calls }: Pick<RouterParts, 'owners' | 'calls'>): MethodRoute {
  return (call) => {
    const { request, caller } = call
    const owner = owners.of(caller.tenant, request.method)
    return owner === undefined
      ? failed(call, 'method_not_found', { name: request.method })
      : calls.run(call, owner, request)
  }
}
