import type { Handler, Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { serverCapabilitiesFor } from '@junctor/protocol'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { errorOutcome } from '../../shared/errors.ts'
import { capabilityUnion, mergeInstructions } from '../../upstream/catalogue/server-union.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { supportedVersions } from './read-stateless.ts'

/** What the answer tells: the tenants, and what their backends can do. */
export interface DiscoverParts {
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly upstream: Pick<Upstream, 'status'>
  /** The most characters of instructions. */
  readonly instructions: number
}

/** Answers `server/discover` (2026-07-28, Discovery). */
export function createDiscover({ tenants, upstream, instructions: limit }: DiscoverParts): Handler {
  return async (_request, { context }): Promise<Outcome> => {
    const tenant = tenants.get(context.tenant)
    if (tenant === undefined) return errorOutcome(context, 'unknown_tenant')
    const servers = await upstream.status.servers(tenant, 'modern')
    const instructions = mergeInstructions(servers, limit)
    const result = payloadOf({
      supportedVersions: supportedVersions(tenant.tenant.profile),
      capabilities: serverCapabilitiesFor(context.revision, capabilityUnion(servers)),
      ...(instructions !== undefined && { instructions }),
    })
    return { kind: 'complete', result }
  }
}
