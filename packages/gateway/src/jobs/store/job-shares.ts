import { tenantOfName } from '@junctor/protocol'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { JobRecord } from '../record/job-record.ts'

/** The number of open jobs of each principal and each tenant. */
export interface JobShares {
  /** Whether the owner or the tenant of this job has reached its limit. */
  isFull(record: Pick<JobRecord, 'owner' | 'tenant'>): boolean
  add(record: Pick<JobRecord, 'owner' | 'tenant'>): void
  remove(record: Pick<JobRecord, 'owner' | 'tenant'>): void
}

/** Creates the counts, all of them zero. */
export function createJobShares(limits: Pick<GatewayLimits, 'jobsOfTenant' | 'jobsOfPrincipal'>): JobShares {
  const owners = new Map<string, number>()
  const tenants = new Map<string, number>()

  return {
    isFull: ({ owner, tenant }) =>
      (owners.get(owner) ?? 0) >= limits.jobsOfPrincipal ||
      (tenants.get(tenantOfName(tenant)) ?? 0) >= limits.jobsOfTenant,
    add({ owner, tenant }) {
      count(owners, owner, 1)
      count(tenants, tenantOfName(tenant), 1)
    },
    remove({ owner, tenant }) {
      count(owners, owner, -1)
      count(tenants, tenantOfName(tenant), -1)
    },
  }
}

function count(counts: Map<string, number>, name: string, by: number): void {
  const next = (counts.get(name) ?? 0) + by
  if (next === 0) counts.delete(name)
  else counts.set(name, next)
}
