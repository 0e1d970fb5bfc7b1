import type { BackendEntry } from './backend-entry.ts'
import type { TenantEntry } from './tenant-entry.ts'
import { permitsMethod } from './name-policy.ts'

/** Methods between a view and its host (MCP Apps, "Communication Protocol"). No server has them. */
const ofHosts = 'ui/'

/**
 * The backend that messages outside MCP go to and come from: at the endpoint of a single backend that one, which may have
 * any extension. `undefined`: they do not pass.
 */
export function onlyOwner(
  { single, backends, tools }: Pick<TenantEntry, 'single' | 'backends' | 'tools'>,
  method: string,
): BackendEntry | undefined {
  const [entry] = backends
  if (single !== true || entry === undefined || method.startsWith(ofHosts)) return undefined
  return permitsMethod(tools, entry.backend.name, method) ? entry : undefined
}
