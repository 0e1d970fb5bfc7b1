import { failed } from '../upstream/calls/failed.ts'
import { onlyOwner } from '../shared/only-owner.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { refuseOverRate } from './refuse-over-rate.ts'

/**
 * Methods outside MCP: the backend that has the method gets the unchanged request. At the endpoint of a single backend,
 * that is this backend, which may have any extension. A method without a backend is not found.
 */
export function passThroughRoute({
  owners,
  calls,
  rates,
}: Pick<RouterParts, 'owners' | 'calls' | 'rates'>): MethodRoute {
  return (call) => {
    const { request, caller } = call
    const owner = owners.of(caller.tenant, request.method) ?? onlyOwner(caller.tenant, request.method)
    if (owner === undefined) return failed(call, 'method_not_found', { name: request.method })
    return refuseOverRate(rates, call, owner) ?? calls.run(call, owner, request)
  }
}
