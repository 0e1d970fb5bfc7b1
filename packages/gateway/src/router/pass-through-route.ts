import { failed } from '../upstream/calls/failed.ts'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { permitsMethod } from '../upstream/catalogue/name-policy.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { refuseOverRate } from './refuse-over-rate.ts'

/** Methods between a view and its host (MCP Apps, "Communication Protocol"). No server has them. */
const ofHosts = 'ui/'

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

function onlyOwner({ single, backends, tools }: TenantEntry, method: string): BackendEntry | undefined {
  const [entry] = backends
  if (single !== true || entry === undefined || method.startsWith(ofHosts)) return undefined
  return permitsMethod(tools, entry.backend.name, method) ? entry : undefined
}
